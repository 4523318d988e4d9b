import { detections, limits, rankSince } from '@overheard/contract';
import { equals, since } from './filters.ts';
import { defineTool } from './tool.ts';
import { whoIsCited } from './who-is-cited.ts';

export const getDetections = defineTool({
  name: 'get_detections',
  title: 'Who was cited in each answer',
  description: `Whether the brand and each competitor was cited, answer by answer: use it for "who is named instead of us, and where?". One row per subject and run (one prompt put to one engine once), newest first. Without \`prompt_id\` the ${limits.detectionsRunsMax} most recent runs of all prompts; with one (from get_prompts or get_actions), every run of it. \`rank\`: 1 is cited first; null if not cited or before ${rankSince.slice(0, 10)}. \`position\`: characters before the first mention. \`sentiment\`: null if not judged. Competitors are ids: never guess their names. Not the answers' text.`,
  endpoint: detections,
  moment: 'run_at',
  filters: [equals('engine'), equals('subject_type'), equals('cited'), since('run_at')],
  emptyBecause:
    'no answers have been imported yet, or none could be used (refused, empty, failed).',
  leftOut: (_total, given) =>
    given.has('prompt_id')
      ? undefined
      : `These are the ${limits.detectionsRunsMax} most recent runs at most; for all runs of one prompt give \`prompt_id\`.`,
  summarise: whoIsCited,
});
