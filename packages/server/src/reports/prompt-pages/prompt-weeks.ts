import { sql } from 'kysely';
import { countedRuns } from '../../storage/counted-runs.ts';
import { padded } from '../../storage/chunks.ts';
import { addDays, endOfDay, startOfDay } from '../../values/utc-day.ts';
import type { Period } from '../shares/windows.ts';
import type { ReportSource } from '../report-source.ts';

/** The brand in the counted runs of one prompt in one week. */
export interface WeekCount extends Period {
  readonly runs: number;
  readonly cited: number;
}

const weeksShown = 12;

/** Reads the weeks of some prompts, 12 of 7 days each up to `to`, the oldest first. */
export async function readWeeks(
  { db, workspaceId }: ReportSource,
  { ids, to, engine }: { ids: readonly string[]; to: string; engine?: string | undefined },
): Promise<(promptId: string) => WeekCount[]> {
  const weeks = Array.from({ length: weeksShown }, (_, index): Period => {
    const last = addDays(to, -7 * (weeksShown - 1 - index));
    return { from: addDays(last, -6), to: last };
  });
  const day = sql<string>`substr(run_at, 1, 10)`;
  const rows =
    ids.length === 0
      ? []
      : await countedRuns(db, workspaceId)
          .leftJoin('detections', (join) =>
            join
              .on('detections.workspace_id', '=', workspaceId)
              .onRef('detections.run_id', '=', 'runs.id')
              .on('subject_type', '=', 'brand')
              .on('cited', '=', true),
          )
          .where('prompt_id', 'in', padded(ids))
          .where('run_at', '>=', startOfDay(weeks[0]?.from ?? to))
          .where('run_at', '<', endOfDay(to))
          .$if(engine !== undefined, (is) => is.where('engine', '=', engine ?? ''))
          .select(['prompt_id', day.as('day')])
          .select(({ fn }) => [
            fn.countAll<number | string>().as('runs'),
            fn.count<number | string>('detections.id').as('cited'),
          ])
          .groupBy(['prompt_id', day])
          .execute();
  const rowsOf = Map.groupBy(rows, (row) => row.prompt_id);
  return (promptId) =>
    weeks.map((week) => {
      const own = (rowsOf.get(promptId) ?? []).filter(
        (row) => row.day >= week.from && row.day <= week.to,
      );
      const sum = (count: 'runs' | 'cited') =>
        own.reduce((total, row) => total + Number(row[count]), 0);
      return { ...week, runs: sum('runs'), cited: sum('cited') };
    });
}
