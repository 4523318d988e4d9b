import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { lastCheckMs } from './operator-lists.ts';

/** What an operator watches. Moments are in milliseconds since 1970; undefined for never. */
export interface OperatorFacts {
  readonly databaseBytes: number;
  readonly jobs: ReadonlyArray<{ kind: string; state: string; count: number }>;
  /** Readings of the UTC day. */
  readonly readings: ReadonlyArray<{ state: string; count: number }>;
  /** What all workspaces have spent in the UTC day and month; an empty scope is all engines together. */
  readonly spend: ReadonlyArray<{
    scope: string;
    period: 'day' | 'month';
    spentUsd: number;
    capUsd: number | null;
  }>;
  /** Engines, and why one is switched off. */
  readonly engines: ReadonlyArray<{ name: string; offReason: string | null }>;
  readonly listsMs: number | undefined;
  /** When the next planned question of the UTC day is due. */
  readonly questionMs: number | undefined;
  /** When the next weekly message is due. */
  readonly messageMs: number | undefined;
  /** Workspaces that are not archived. */
  readonly workspaces: readonly WorkspaceFacts[];
}

/** How a database grows. */
export interface Growth {
  readonly bytesPerDay: number;
  /** Days until its disk is full. */
  readonly fullInDays: number;
}

export interface WorkspaceFacts {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The newest answer. Refused, empty and failed runs do not count. */
  readonly answerMs: number | undefined;
  /** When a log was last read for it, or lines were received. */
  readonly ingestMs: number | undefined;
}

/** Reads what an operator watches. Reads a few rows of each workspace by an index, and counts nothing large. */
export async function readOperatorFacts(store: Store, nowMs: number): Promise<OperatorFacts> {
  const { reader, access } = store;
  const ledger = (await store.ledger())?.db;
  const day = utcDay(nowMs);
  const jobs = await access
    .selectFrom('jobs')
    .select(['kind', 'state', sql<number>`count(*)`.as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .orderBy('state')
    .execute();
  const message = await access
    .selectFrom('message_times')
    .select(({ fn }) => fn.min<string | null>('next_at').as('at'))
    .executeTakeFirst();
  const rows = await reader
    .selectFrom('workspaces')
    .select(['id', 'slug', 'name'])
    .where('archived_at', 'is', null)
    .orderBy('slug')
    .execute();
  const workspaces: WorkspaceFacts[] = [];
  const readings = new Map<string, number>();
  const planned: number[] = [];
  for (const row of rows) {
    const states = await ledger
      ?.selectFrom('readings')
      .select(({ fn }) => [
        'state',
        sql<number>`count(*)`.as('count'),
        fn.min<string | null>('due_at').as('due'),
      ])
      .where('workspace_id', '=', row.id)
      .where('day', '=', day)
      .groupBy('state')
      .execute();
    for (const { state, count, due } of states ?? []) {
      if (state === 'planned' && due !== null) planned.push(Date.parse(due));
      readings.set(state, (readings.get(state) ?? 0) + count);
    }
    workspaces.push({ ...row, ...(await lastMoments(store, row.id)) });
    // Queries of SQLite block, and requests wait meanwhile.
    await setImmediate();
  }
  return {
    databaseBytes: await store.bytes(),
    jobs,
    readings: Array.from(readings, ([state, count]) => ({ state, count })),
    spend: ledger === undefined ? [] : await readSpend(ledger, day),
    engines: await readEngines(store),
    questionMs: planned.length === 0 ? undefined : Math.min(...planned),
    messageMs: message?.at ? Date.parse(message.at) : undefined,
    listsMs: await lastCheckMs(reader),
    workspaces,
  };
}

async function lastMoments({ reader, access }: Store, workspaceId: string) {
  const run = await reader
    .selectFrom('runs')
    .select('run_at')
    .where('workspace_id', '=', workspaceId)
    // Null means imported without its answer.
    .where((each) => each.or([each('outcome', '=', 'answered'), each('outcome', 'is', null)]))
    .orderBy('run_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const log = await reader
    .selectFrom('log_files')
    .select((file) => file.fn.max('updated_at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const received = await access
    .selectFrom('receivers')
    .select((receiver) => receiver.fn.max('received_at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const ingests = [log?.at, received?.at].flatMap((at) => (at ? [Date.parse(at)] : []));
  return {
    answerMs: run && Date.parse(run.run_at),
    ingestMs: ingests.length === 0 ? undefined : Math.max(...ingests),
  };
}

type LedgerDatabase = NonNullable<Awaited<ReturnType<Store['ledger']>>>['db'];

async function readSpend(ledger: LedgerDatabase, day: string): Promise<OperatorFacts['spend']> {
  const caps = await ledger.selectFrom('operator_caps').selectAll().execute();
  const budgets = await ledger
    .selectFrom('operator_budgets')
    .selectAll()
    .where('period', 'in', [day, day.slice(0, 7)])
    .execute();
  const scopes = [...new Set([...caps, ...budgets].map(({ scope }) => scope))].toSorted();
  return scopes.flatMap((scope) =>
    (['day', 'month'] as const).map((period) => {
      const key = period === 'day' ? day : day.slice(0, 7);
      const spent = budgets.find((each) => each.scope === scope && each.period === key);
      const cap = caps.find((each) => each.scope === scope);
      const capMicros = (period === 'day' ? cap?.day_micros : cap?.month_micros) ?? null;
      return {
        scope,
        period,
        spentUsd: (spent?.spent_micros ?? 0) / 1e6,
        capUsd: capMicros === null ? null : capMicros / 1e6,
      };
    }),
  );
}

async function readEngines(store: Store): Promise<OperatorFacts['engines']> {
  const engines = await store.access
    .selectFrom('engines')
    .select(['name', 'disabled_at'])
    .orderBy('name')
    .execute();
  const ledger = (await store.ledger())?.db;
  const paces = (await ledger?.selectFrom('paces').select(['name', 'off_reason']).execute()) ?? [];
  return engines.map(({ name, disabled_at: disabledAt }) => {
    const offReason = paces.find((pace) => pace.name === name)?.off_reason ?? null;
    return { name, offReason: disabledAt === null ? offReason : 'disabled' };
  });
}
