import { subjects } from '@overheard/contract';
import { equals } from './filters.ts';
import { defineTool } from './tool.ts';

export const getSubjects = defineTool({
  name: 'get_subjects',
  title: 'The brand and its competitors',
  description:
    'The tracked names, the brand first: use it for who is compared. `archived_at`: no longer tracked since then. Not their figures: get_shares.',
  endpoint: subjects,
  filters: [equals('type')],
  lean: { without: [] },
  emptyBecause: 'the workspace has no brand yet.',
});
