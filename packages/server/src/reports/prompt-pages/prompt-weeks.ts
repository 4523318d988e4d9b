import { countCited } from '../../storage/counts/packed-counts.ts';
import { readRunCounts } from '../../storage/counts/run-counts.ts';
import type { CountedDays } from '../../storage/counts/run-counts.ts';
import { addDays } from '../../values/time/utc-day.ts';
import type { Period } from '../shares/windows.ts';
import { readSubjectRows } from '../subjects.ts';
import type { ReportSource } from '../report-source.ts';

/** The brand in the counted runs of one prompt in one week. */
export interface WeekCount extends Period {
  readonly runs: number;
  readonly cited: number;
}

const weeksShown = 12;

/** Reads the weeks of some prompts, 12 of 7 days each up to `to`, the oldest first. */
export async function readPromptWeeks(
  source: ReportSource,
  {
    ids,
    to,
    engine,
    surface,
  }: Pick<CountedDays, 'to' | 'engine' | 'surface'> & { ids: readonly string[] },
): Promise<(promptId: string) => WeekCount[]> {
  const weeks = Array.from({ length: weeksShown }, (_, index) => {
    const last = addDays(to, -7 * (weeksShown - 1 - index));
    return { from: addDays(last, -6), to: last, runs: 0, cited: 0 };
  });
  const weeksOf = new Map(ids.map((id) => [id, weeks.map((week) => ({ ...week }))]));
  const days = { from: weeks[0]?.from ?? to, to, engine, surface };
  if (ids.length === 0) return () => weeks;
  const brand = (await readSubjectRows(source)).find(({ type }) => type === 'brand');
  for await (const rows of readRunCounts(source.db, source.workspaceId, days)) {
    for (const row of rows) {
      const week = weeks.findIndex((one) => row.date <= one.to);
      const cited = countCited(row, brand?.id ?? '');
      for (const [index, id] of row.names.prompts.entries()) {
        addTo(weeksOf.get(id)?.[week], row.runs[index], cited[index]);
      }
    }
  }
  return (promptId) => weeksOf.get(promptId) ?? weeks;
}

function addTo(week: { runs: number; cited: number } | undefined, runs = 0, cited = 0): void {
  if (week === undefined) return;
  week.runs += runs;
  week.cited += cited;
}
