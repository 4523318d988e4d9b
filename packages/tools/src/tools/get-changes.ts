import { changes } from '@overheard/contract';
import { equals } from './filters.ts';
import { cutAtLimit, defineTool } from './tool.ts';

export const getChanges = defineTool({
  name: 'get_changes',
  title: 'Days with data',
  description:
    'UTC days that have or had rows of a `kind`, last written last; with the next_cursor of an earlier call, those written since.',
  endpoint: changes,
  filters: [equals('kind')],
  pageNote:
    'What is written later follows with `cursor` = next_cursor, also in another conversation.',
  emptyPageNote: 'No day was written since the call that gave this cursor.',
  beginsAgain: true,
  cutBy: cutAtLimit('those written first'),
  emptyBecause: 'the workspace has no data yet.',
});
