import type { ReadingState } from '../../storage/tables/ledger-tables.ts';
import { readRestore } from '../../storage/ledger-home.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import { notImportable } from './hand-over.ts';
import { readEngines } from './paced-engines.ts';
import type { PacedEngine } from './paced-engines.ts';
import { toUsd } from './micros.ts';
import { countLongPrompts } from './prompts-to-ask.ts';
import { requireLedger } from './require-ledger.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The state of an engine's readings in a workspace. */
export interface EngineStatus {
  readonly engine: string;
  /** Why the engine is switched off; null if it is on. */
  readonly offReason: string | null;
  /** Until when the engine asks clients to wait. */
  readonly waitUntil: string | null;
  /** Readings by their state. */
  readonly readings: Readonly<Record<ReadingState, number>>;
  readonly costUsd: number;
  /** Mean over the answers that report it; null if no answer does. */
  readonly searchesPerAnswer: number | null;
  readonly answersWithoutSearch: number;
  /** Answers that the import refused. */
  readonly notImportable: number;
  /** The models that answered, each with its first reading. */
  readonly models: ReadonlyArray<{ readonly model: string; readonly since: string }>;
}

export interface CollectStatus {
  /** The first of the days, in UTC. */
  readonly from: string;
  readonly engines: readonly EngineStatus[];
  /** Prompts that are on and too long to be asked. */
  readonly longPrompts: number;
  /** When the ledger was last restored. Sweeps of that day that had begun before are not asked. */
  readonly restoredAt: string | null;
}

/** The readings of the last days, today included, by engine. */
export async function readStatus(
  store: Store,
  workspaceId: string,
  { days, clock }: { days: number; clock: () => number },
): Promise<CollectStatus> {
  const ledger = await requireLedger(store);
  const nowMs = clock();
  const from = utcDay(nowMs - (days - 1) * dayMs);
  const rows = await readTotals(ledger, workspaceId, { from, today: utcDay(nowMs) });
  const engines = await readEngines(store, ledger, { workspaceId, rows: [], nowMs });
  const longPrompts = await countLongPrompts(store, workspaceId);
  const { restoredAt } = await readRestore(ledger);
  return {
    from,
    engines: engines.map((engine) => toStatus(engine, rows, nowMs)),
    longPrompts,
    restoredAt,
  };
}

type Total = Awaited<ReturnType<typeof readTotals>>[number];

function readTotals(
  { db }: Ledger,
  workspaceId: string,
  { from, today }: { from: string; today: string },
) {
  const state = shownState(today);
  return db
    .selectFrom('readings')
    .select(({ fn, eb }) => [
      'engine',
      state.as('state'),
      'model',
      fn.countAll<number | string>().as('count'),
      fn.sum<number | null>('cost_micros').as('cost'),
      fn.sum<number | null>('searches').as('searches'),
      fn.count<number | string>('searches').as('counted'),
      fn
        .sum<number | string>(eb.case().when('searches', '=', 0).then(1).else(0).end())
        .as('without'),
      fn
        .sum<number | string>(eb.case().when('fault', '=', notImportable).then(1).else(0).end())
        .as('refused'),
      fn.min('sent_at').as('since'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .groupBy(['engine', state, 'model'])
    .execute();
}

function toStatus(
  { name, offReason, waitUntilMs }: PacedEngine,
  totals: readonly Total[],
  nowMs: number,
): EngineStatus {
  const engineTotals = totals.filter(({ engine }) => engine === name);
  const sum = (of: readonly Total[], pick: (total: Total) => number | string | null): number =>
    of.reduce((all, each) => all + Number(pick(each) ?? 0), 0);
  const counted = sum(engineTotals, (each) => each.counted);
  const count = (state: ReadingState): number =>
    sum(
      engineTotals.filter((each) => each.state === state),
      (each) => each.count,
    );
  return {
    engine: name,
    offReason,
    waitUntil: waitUntilMs > nowMs ? new Date(waitUntilMs).toISOString() : null,
    readings: {
      planned: count('planned'),
      sent: count('sent'),
      done: count('done'),
      failed: count('failed'),
      unknown: count('unknown'),
      missed: count('missed'),
      skipped: count('skipped'),
    },
    costUsd: toUsd(sum(engineTotals, ({ cost }) => cost)),
    searchesPerAnswer:
      counted === 0 ? null : sum(engineTotals, ({ searches }) => searches) / counted,
    answersWithoutSearch: sum(engineTotals, ({ without }) => without),
    notImportable: sum(engineTotals, ({ refused }) => refused),
    models: engineTotals
      .flatMap(({ model, since }) => (model === null || since === null ? [] : [{ model, since }]))
      .toSorted((left, right) => (left.since < right.since ? -1 : 1)),
  };
}

/**
 * The state of a reading on a UTC day. A planned reading of a past day is missed, because today's
 * answer cannot stand for yesterday's. Nothing writes that: a process whose clock is ahead would end
 * the readings of the others.
 */
function shownState(today: string): RawBuilder<ReadingState> {
  return sql<ReadingState>`case when state = 'planned' and day < ${sql.lit(today)} then 'missed' else state end`;
}
