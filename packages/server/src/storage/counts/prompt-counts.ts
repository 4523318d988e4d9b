import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { isOfSurface } from '../queries/surface-filter.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { DataTables } from '../schema.ts';
import { countedRuns, gatherCounts, selectSums } from './run-counts.ts';
import type { CountedDays, RunCounts } from './run-counts.ts';

/**
 * Yields the counts of one prompt, a day at a time, oldest first. Counts its runs, because a stored
 * row has all prompts of a day, and reading tens of megabytes of rows for one prompt saves no time.
 */
export async function* countPromptRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { promptId, from, to, engine, surface }: CountedDays & { promptId: string },
): AsyncGenerator<readonly RunCounts[]> {
  const day = sql<string>`substr(run_at, 1, 10)`;
  const counted = countedRuns(db, workspaceId)
    .where('prompt_id', '=', promptId)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .$if(surface !== undefined, (query) => query.where(isOfSurface(surface)))
    .select(day.as('date'))
    .groupBy(day);
  const { runs, cited } = await selectSums(counted, workspaceId);
  const citedOn = Map.groupBy(cited, ({ date }) => date);
  const days = [...Map.groupBy(runs, ({ date }) => date)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  for (const [date, ofDay] of days) yield gatherCounts(date, ofDay, citedOn.get(date) ?? []);
}
