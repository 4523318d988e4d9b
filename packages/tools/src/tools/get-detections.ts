import { detections, limits, rankSince } from '@overheard/contract';
import { subjectNames } from './lookup.ts';
import { equals, isOfDays, since, subject, until } from './filters.ts';
import { apiNotes } from '../text/engines.ts';
import { defineTool } from './tool.ts';
import { z } from 'zod';
import type { DetectionRow } from '@overheard/contract';
import { listName } from '../text/names.ts';
import type { ToolRow } from './tool-row.ts';
import { shareText, tally, tallyText } from '../text/tally.ts';

const competitorsMax = 5;

/** Counts the runs that cite the brand, and those that cite competitors instead, by competitor. */
export function whoIsCited(
  rows: readonly DetectionRow[],
  argumentNames: ReadonlySet<string>,
  names: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const cited = rows.filter((row) => row.cited);
  const listed = new Map([...names].map(([id, name]) => [id, listName(name)]));
  const competitors = tally(
    cited
      .filter((row) => row.subject_type === 'competitor')
      .map(({ subject_id: id }) => listed.get(id ?? '') ?? id ?? 'without id'),
  );
  const most = `Competitors by runs that cite them: ${tallyText(competitors, competitorsMax)}.`;
  const competitorNotes = competitors.length === 0 ? [] : [most];
  // If a filter removed subjects of a run, it is unknown who was missing from it.
  if (['subject', 'subject_type', 'cited'].some((name) => argumentNames.has(name)))
    return competitorNotes;

  const runs = new Map(rows.map((row) => [row.run_id, row.engine]));
  const brand = new Set(cited.filter(isBrand).map((row) => row.run_id));
  const lostRuns = new Set(cited.map((row) => row.run_id).filter((run) => !brand.has(run)));
  const where = tally([...lostRuns].map((run) => runs.get(run) ?? ''));
  const instead = lostRuns.size === 0 ? '' : `: ${tallyText(where)}`;
  return [
    `The brand is cited in ${shareText(brand.size, runs.size, 'runs')}, counting prompts that name it; competitors instead of it in ${shareText(lostRuns.size, runs.size, 'runs')}${instead}.`,
    ...competitorNotes,
  ];
}

function isBrand(row: DetectionRow): boolean {
  return row.subject_type === 'brand';
}

const detectionRows = z.array(z.looseObject(detections.row.shape));

/**
 * One line a run: `2026-11-20T06:00 chatgpt: 1 Globex, 2 Acme (the brand)`. A run that cites none
 * of the rows' subjects says so. It costs a model a fifth of the tokens of the run's rows.
 */
function runLines(rows: readonly ToolRow[], names: ReadonlyMap<string, string>): ToolRow[] {
  const runs = Map.groupBy(detectionRows.parse(rows), (row) => row.run_id);
  return [...runs.values()].map((runRows) => {
    const [first] = runRows;
    const cited = runRows
      .filter((row) => row.cited)
      .toSorted((left, right) => rankOf(left) - rankOf(right));
    const words = cited.map((row) => `${row.rank ?? '-'} ${nameOf(row, names)}`);
    const at = `${first?.run_at.slice(0, 16)} ${first?.engine}`;
    return { run: `${at}: ${words.length === 0 ? 'none' : words.join(', ')}` };
  });
}

function rankOf({ rank }: DetectionRow): number {
  return rank ?? Number.POSITIVE_INFINITY;
}

function nameOf(
  { subject_id: id, subject_type: type }: DetectionRow,
  names: ReadonlyMap<string, string>,
): string {
  const name = names.get(id ?? '') ?? id ?? 'without id';
  return type === 'brand' ? `${listName(name)} (the brand)` : listName(name);
}

export const getDetections = defineTool({
  name: 'get_detections',
  title: 'Who was cited in each answer',
  description: `Whether the brand and each competitor was cited, answer by answer: use it for "who is named instead of us, and where?". One row per subject and run (one prompt put to one engine once), newest first. Without \`prompt_id\` the ${limits.detectionsRunsMax} most recent runs of all prompts; with one (from get_prompts or get_actions), every run of it. \`rank\`: 1 is cited first; null if not cited or before ${rankSince.slice(0, 10)}. \`position\`: characters before the first mention. \`sentiment\`: null if not judged. \`as\` "runs": one short line per run with names by rank, for many runs.`,
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
