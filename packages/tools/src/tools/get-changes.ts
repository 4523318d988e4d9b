import { changes } from '@overheard/contract';
import { equals } from './filters.ts';
import { cutAtLimit, defineTool } from './tool.ts';

export const getChanges = defineTool({
  name: 'get_changes',
  title: 'Days with data',
  description:
    'UTC days that have or had rows of a `kind`, last written last: use it for which days were imported or changed.',
  endpoint: changes,
  filters: [equals('kind')],
  cutBy: cutAtLimit('those written first'),
  emptyBecause: 'the workspace has no data yet.',
});
