import { sql } from 'kysely';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { contentId } from '../../values/uuid.ts';
import { countedRuns, deriveRunCounts } from '../../storage/counts/run-counts.ts';
import { deriveSourceCounts } from '../../storage/counts/source-counts.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import { shareOfVoice } from '../../values/statistics/share-of-voice.ts';
import type { Counts } from '../../values/statistics/share-of-voice.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';

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

/** One score before and after; undefined if there is none. */
export interface ScoreChange extends EngineDay {
  readonly before: Figures | undefined;
  readonly after: Figures | undefined;
  /** Whether there was an imported score before. */
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
 * Recomputes the derived scores of some days from the detections. Replaces an imported score if
 * there are counted runs, and restores it if there are none any more. Returns the changes, by date,
 * then engine.
 */
export async function deriveScores(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly EngineDay[],
): Promise<ScoreChange[]> {
  const dates = days.map(({ date }) => date).toSorted();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return [];
  const counted = indexByKey(await countDays(transaction, workspaceId, { from, to }));
  const stored = indexByKey(
    await transaction
      .selectFrom('scores')
      .select(['date', 'engine', 'citations', 'total_runs', 'sov', 'origin', 'replaced'])
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', from)
      .where('date', '<=', to)
      .execute(),
  );
  const changes: ScoreChange[] = [];
  for (const day of [...indexByKey(days).values()].toSorted(byDay)) {
    const before = stored.get(keyOf(day));
    const counts = counted.get(keyOf(day));
    const derived = counts === undefined ? undefined : figuresOf(counts);
    const wasImported = before?.origin === 'imported';
    if (derived === undefined && (before === undefined || wasImported)) continue;
    if (!wasImported && isSame(before, derived)) continue;
    await writeScore(transaction, workspaceId, { day, before, derived });
    const after = derived ?? replacedFigures(before);
    changes.push({ ...day, before: before && pick(before), after, wasImported });
  }
  await noteChanges(transaction, workspaceId, { scores: changes.map(({ date }) => date) });
  return changes;
}

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

/** The figures of counted runs. */
export function figuresOf(counts: DayCounts): Figures {
  return { citations: counts.brand, total_runs: counts.runs, sov: shareOfVoice(counts) };
}

interface StoredScore extends Figures {
  readonly origin: 'derived' | 'imported';
  readonly replaced: string | null;
}

async function writeScore(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    day: { date, engine },
    before,
    derived,
  }: { day: EngineDay; before: StoredScore | undefined; derived: Figures | undefined },
): Promise<void> {
  if (before === undefined && derived !== undefined) {
    const id = contentId('score', [date, engine]);
    const row = { workspace_id: workspaceId, id, date, engine, ...derived };
    await transaction
      .insertInto('scores')
      .values({ ...row, origin: 'derived' })
      .execute();
    return;
  }
  const now = derived === undefined ? restoreImported(before) : toDerivedScore(before, derived);
  const isOfDay = (where: ExpressionBuilder<DataTables, 'scores'>) =>
    where.and({ workspace_id: workspaceId, date, engine });
  await (now === undefined
    ? transaction.deleteFrom('scores').where(isOfDay).execute()
    : transaction.updateTable('scores').set(now).where(isOfDay).execute());
}

/**
 * Makes the derived score that replaces a stored one. Keeps the figures of an imported score beside
 * it.
 */
function toDerivedScore(before: StoredScore | undefined, derived: Figures) {
  const isFirst = before?.origin === 'imported';
  const replaced = isFirst ? { replaced: JSON.stringify(pick(before)) } : {};
  return { ...derived, origin: 'derived' as const, ...replaced };
}

/** Restores the imported score that a derived one had replaced. */
function restoreImported(before: StoredScore | undefined) {
  const figures = replacedFigures(before);
  return figures && { ...figures, origin: 'imported' as const, replaced: null };
}

const storedFigures = z.object({ citations: z.number(), total_runs: z.number(), sov: z.number() });

function replacedFigures(before: StoredScore | undefined): Figures | undefined {
  const replaced = before?.replaced ?? null;
  return replaced === null ? undefined : storedFigures.parse(JSON.parse(replaced));
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

function indexByKey<Row extends EngineDay>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function keyOf({ date, engine }: EngineDay): string {
  return `${date} ${engine}`;
}

function byDay(left: EngineDay, right: EngineDay): number {
  return keyOf(left) < keyOf(right) ? -1 : 1;
}
