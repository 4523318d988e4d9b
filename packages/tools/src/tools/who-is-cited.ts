import type { DetectionRow } from '@overheard/contract';
import { listName } from '../text/names.ts';
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
