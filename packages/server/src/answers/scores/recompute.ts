import type { Transaction } from 'kysely';
import { contentId } from '../../values/uuid.ts';
import { deriveRunCounts } from '../../storage/rollups/run-counts.ts';
import { deriveSourceCounts } from '../../storage/rollups/source-counts.ts';
import type { DataTables } from '../../storage/schema.ts';
import { countDays } from './count.ts';
import type { DayCounts } from './count.ts';
import { shareOfVoice } from './share.ts';

/** An engine's UTC day. */
export interface EngineDay {
  readonly date: string;
  readonly engine: string;
}

/** The figures of a score. */
export interface Figures {
  readonly citations: number;
  readonly total_runs: number;
  readonly sov: number;
}

/** What became of one score; undefined where there was, or is, none. */
export interface ScoreChange extends EngineDay {
  readonly before: Figures | undefined;
  readonly after: Figures | undefined;
  /** Whether an imported score stood there. */
  readonly wasImported: boolean;
}

/** Recomputes the counts and the scores of some days, in the transaction that changed their runs. */
export async function recomputeScores(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly EngineDay[],
): Promise<ScoreChange[]> {
  await deriveRunCounts(transaction, workspaceId, days);
  await deriveSourceCounts(transaction, workspaceId, days);
  return deriveScores(transaction, workspaceId, days);
}

/**
 * Recomputes the derived scores of some days from the detections. An imported score is replaced where runs are counted, and left where none is. Returns what
 * changed, by date, then engine.
 */
export async function deriveScores(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly EngineDay[],
): Promise<ScoreChange[]> {
  const dates = days.map(({ date }) => date).toSorted();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return [];
  const counted = keyed(await countDays(transaction, workspaceId, { from, to }));
  const stored = keyed(
    await transaction
      .selectFrom('scores')
      .select(['date', 'engine', 'citations', 'total_runs', 'sov', 'origin'])
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', from)
      .where('date', '<=', to)
      .execute(),
  );
  const changes: ScoreChange[] = [];
  for (const day of [...keyed(days).values()].toSorted(byDay)) {
    const before = stored.get(keyOf(day));
    const counts = counted.get(keyOf(day));
    const after = counts === undefined ? undefined : figuresOf(counts);
    const wasImported = before?.origin === 'imported';
    if (after === undefined && (before === undefined || wasImported)) continue;
    if (!wasImported && isSame(before, after)) continue;
    await writeScore(transaction, workspaceId, { day, isThere: before !== undefined, after });
    changes.push({ ...day, before: before && pick(before), after, wasImported });
  }
  return changes;
}

/** The figures of counted runs. */
export function figuresOf(counts: DayCounts): Figures {
  return { citations: counts.brand, total_runs: counts.runs, sov: shareOfVoice(counts) };
}

async function writeScore(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    day: { date, engine },
    isThere,
    after,
  }: { day: EngineDay; isThere: boolean; after: Figures | undefined },
): Promise<void> {
  if (!isThere && after !== undefined) {
    const id = contentId('score', [date, engine]);
    const row = { workspace_id: workspaceId, id, date, engine, ...after };
    await transaction
      .insertInto('scores')
      .values({ ...row, origin: 'derived' })
      .execute();
  } else if (after !== undefined) {
    await transaction
      .updateTable('scores')
      .set({ ...after, origin: 'derived' })
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', '=', engine)
      .execute();
  } else {
    await transaction
      .deleteFrom('scores')
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', '=', engine)
      .execute();
  }
}

function pick({ citations, total_runs, sov }: Figures): Figures {
  return { citations, total_runs, sov };
}

function isSame(left: Figures | undefined, right: Figures | undefined): boolean {
  return (
    left?.citations === right?.citations &&
    left?.total_runs === right?.total_runs &&
    left?.sov === right?.sov
  );
}

function keyed<Row extends EngineDay>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function keyOf({ date, engine }: EngineDay): string {
  return `${date} ${engine}`;
}

function byDay(left: EngineDay, right: EngineDay): number {
  return keyOf(left) < keyOf(right) ? -1 : 1;
}
