import { detections, limits, rankSince } from '@overheard/contract';
import { subjectNames } from './lookup.ts';
import { runLines } from './run-lines.ts';
import { equals, isOfDays, since, subject, until } from './filters.ts';
import { apiNotes } from '../text/engines.ts';
import { defineTool } from './tool.ts';
import { whoIsCited } from './who-is-cited.ts';

export const getDetections = defineTool({
  name: 'get_detections',
  title: 'Who was cited in each answer',
  description: `Whether the brand and each competitor was cited, answer by answer: use it for "who is named instead of us, and where?". One row per subject and run (one prompt put to one engine once), newest first. Without \`prompt_id\` the ${limits.detectionsRunsMax} most recent runs of all prompts; with one (from get_prompts or get_actions), every run of it. \`rank\`: 1 is cited first; null if not cited or before ${rankSince.slice(0, 10)}. \`position\`: characters before the first mention. \`sentiment\`: null if not judged. \`as\` "runs": one short line per run with names by rank, for many runs. Not the answers' text.`,
  endpoint: detections,
  moment: 'run_at',
  filters: [
    equals('engine'),
    subject('subject_id'),
    equals('subject_type'),
    equals('cited'),
    since('run_at'),
    until('run_at'),
  ],
  beside: subjectNames,
  asRuns: runLines,
  emptyBecause:
    'no answers have been imported yet, or none could be used (refused, empty, failed).',
  cutBy: (rows, argumentNames) =>
    argumentNames.has('prompt_id') ||
    isOfDays(argumentNames) ||
    new Set(rows.map((row) => row.run_id)).size < limits.detectionsRunsMax
      ? undefined
      : `the API gives the ${limits.detectionsRunsMax} most recent runs only. For totals use get_shares; for all runs of one prompt give \`prompt_id\`.`,
  summarise: (rows, ...rest) => [
    ...whoIsCited(rows, ...rest),
    ...apiNotes(rows.map((row) => row.engine)),
  ],
});
