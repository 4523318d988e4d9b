import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { countedRuns } from '../../storage/rollups/run-counts.ts';
import type { DataTables } from '../../storage/schema.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { Counts } from '../../values/statistics/share-of-voice.ts';

/** Counts of one engine and UTC day. */
export interface DayCounts extends Counts {
  readonly date: string;
  readonly engine: string;
}

/** UTC days, both included. Undefined means without a limit. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Counts runs and citations per engine and day, over answered runs of prompts that do not name the
 * brand. Sorted by date, then engine. Counting rows counts runs, because a unique index allows one
 * detection per subject and run, there is one brand, and detections of answered runs are never
 * imported.
 */
export async function countDays(
  db: Kysely<DataTables>,
  workspaceId: string,
  range: DayRange,
): Promise<DayCounts[]> {
  const totals = await countedRunsByDay(db, workspaceId, range)
    .select((query) => query.fn.countAll<number>().as('count'))
    .execute();
  const cited = await countedRunsByDay(db, workspaceId, range)
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('detections.cited', '=', true)
    .select(['detections.subject_type', (query) => query.fn.countAll<number>().as('count')])
    .groupBy('detections.subject_type')
    .execute();
  const citedBy = new Map(
    cited.map((row) => [`${row.date} ${row.engine} ${row.subject_type}`, row.count]),
  );
  return totals
    .map(({ date, engine, count }) => ({
      date,
      engine,
      runs: count,
      brand: citedBy.get(`${date} ${engine} brand`) ?? 0,
      competitors: citedBy.get(`${date} ${engine} competitor`) ?? 0,
    }))
    .toSorted(byDay);
}

function countedRunsByDay(db: Kysely<DataTables>, workspaceId: string, { from, to }: DayRange) {
  const date = sql<string>`substr(runs.run_at, 1, 10)`;
  return countedRuns(db, workspaceId)
    .$if(from !== undefined, (query) => query.where('runs.run_at', '>=', startOfDay(from ?? '')))
    .$if(to !== undefined, (query) => query.where('runs.run_at', '<', endOfDay(to ?? '')))
    .select([date.as('date'), 'runs.engine'])
    .groupBy([date, 'runs.engine']);
}

function byDay(left: DayCounts, right: DayCounts): number {
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  return left.engine < right.engine ? -1 : 1;
}
