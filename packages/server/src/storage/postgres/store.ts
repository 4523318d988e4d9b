import { Kysely, PostgresDialect, sql } from 'kysely';
import { errnoOf } from '../../values/errno.ts';
import { Refusal } from '../../refusals.ts';
import { isUnfinished } from '../copy/copy-database.ts';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables, LedgerTables } from '../schema.ts';
import type { ConnectionCounts, Ledger, Snapshot, Store, StoreOptions } from '../store.ts';
import { readAddress } from './address.ts';
import { openAdmission } from './admission.ts';
import { isDistributed } from './citus.ts';
import { mapPostgresFailure } from './failures.ts';
import { createKyselyDriver, createRowStatement } from './kysely-driver.ts';
import { migrate } from './migrate.ts';
import { openPool, statementTimeoutMs } from './pool.ts';
import type { Connections } from './pool.ts';
import { reach } from './reach.ts';
import { writeWithStatistics } from './statistics.ts';

/** Opens a PostgreSQL database, bringing its schema up to date. Rejects if the signal aborts meanwhile. */
export async function openPostgresStore(
  url: string,
  { clock, mayBeUnfinished = false, connectionsMax = 20, onLost = () => {}, signal }: StoreOptions,
): Promise<Store> {
  const shares = shareConnections(connectionsMax);
  const { reads, admissions, writes } = await openPools(url, { shares, onLost });
  const admission = openAdmission(admissions.pool, { clock, isSession: reads.isSession });
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= Promise.all([reads, admissions, writes].map((each) => each.close()));
    await closing;
  };
  const abort = () => void close();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const hidesWorkspace = !(await prepare(kysely<unknown>(writes), { mayBeUnfinished })
    .catch(async (error: unknown) => {
      await close();
      throw mapPostgresFailure(error);
    })
    .finally(() => signal?.removeEventListener('abort', abort)));
  const writer = kysely<DataTables & AccessTables>(writes, { hidesWorkspace });
  const ledger = openLedger(kysely<LedgerTables>(writes, { hidesWorkspace }), writes);
  // Where a session keeps no settings, an unseen workspace would read whole tables.
  const reader = kysely<DataTables>(reads, { hidesWorkspace: hidesWorkspace && reads.isSession });
  const snapshot = openSnapshots(reader, shares.reads);

  return {
    dialect: 'postgres',
    secretFile: undefined,
    reader,
    writer,
    access: writer,
    ledger: async () => ledger,
    ledgerClock: async (machineClock) => clock ?? guard(databaseClock(writes, machineClock)),
    findKey: (hash) => guard(admission.findKey(hash)),
    touchKey: (keyId, usedAt) =>
      guard(query(admissions, 'update keys set last_used_at = $1 where id = $2', [usedAt, keyId])),
    admit: (request) => guard(admission.admit(request)),
    write: (work) => guard(writeWithStatistics(writer, work)),
    rowStatement: createRowStatement,
    ping: () => guard(query(reads, 'select 1')),
    bytes: () => guard(databaseBytes(reads)),
    connections: () => countConnections([reads, admissions, writes]),
    snapshot: (wanted) => guard(snapshot(wanted)),
    mapFailure: mapPostgresFailure,
    close,
  };
}

/** Brings the schema up to date. Returns whether Citus distributes the tables. */
async function prepare(
  db: Kysely<unknown>,
  { mayBeUnfinished }: { mayBeUnfinished: boolean },
): Promise<boolean> {
  await migrate(db);
  if (!mayBeUnfinished && (await isUnfinished({ data: db, dialect: 'postgres' }))) {
    throw new Refusal('copy_unfinished', {});
  }
  return isDistributed(db);
}

async function openPools(
  url: string,
  { shares, onLost }: { shares: Shares; onLost: (error: Error) => void },
) {
  const address = readAddress(url);
  const reads = await reach(address, { connectionsMax: shares.reads, isReadOnly: true, onLost });
  const { isSession } = reads;
  const admissions = openPool(address, {
    connectionsMax: shares.admissions,
    statementTimeoutMs,
    isSession,
    onLost,
  });
  const writes = openPool(address, { connectionsMax: shares.writes, isSession, onLost });
  return { reads, admissions, writes };
}

async function databaseBytes({ pool }: Connections): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return rows[0]?.bytes ?? 0;
}

function countConnections(pools: readonly Connections[]): ConnectionCounts {
  const sum = (of: (pool: Connections['pool']) => number) =>
    pools.reduce((total, { pool }) => total + of(pool), 0);
  return {
    used: sum((pool) => pool.totalCount - pool.idleCount),
    idle: sum((pool) => pool.idleCount),
    waiting: sum((pool) => pool.waitingCount),
  };
}

/** This machine's clock, set to the database's. */
async function databaseClock(
  { pool }: Connections,
  machineClock: () => number,
): Promise<() => number> {
  const beforeMs = machineClock();
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const apartMs = Math.round((rows[0]?.ms ?? beforeMs) - (beforeMs + machineClock()) / 2);
  return () => machineClock() + apartMs;
}

async function query(
  { pool }: Connections,
  statement: string,
  values: readonly string[] = [],
): Promise<void> {
  await pool.query(statement, [...values]);
}

/** Limits long reads, so that connections stay free for short ones. */
function openSnapshots(reader: Kysely<DataTables>, connections: number): Store['snapshot'] {
  const gate = createGate({
    max: Math.max(1, Math.floor(connections / 2)),
    maxOfOwner: Math.max(1, Math.floor(connections / 5)),
  });
  return async function snapshot({ workspaceId, isBrief = false }): Promise<Snapshot> {
    const leave = isBrief ? () => {} : await gate.enter(workspaceId);
    try {
      const transaction = await reader
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute();
      return {
        db: transaction,
        release: async () => {
          if (transaction.isRolledBack) return;
          await transaction.rollback().execute().finally(leave);
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/**
 * Every commit is synced to disk, even if the server's default differs, because a lost claim would
 * be billed twice.
 */
function openLedger(db: Kysely<LedgerTables>, connections: Connections): Ledger {
  return {
    db,
    home: () => guard(readHome(connections)),
    write: (work) =>
      guard(
        db.transaction().execute(async (transaction) => {
          await sql`set local synchronous_commit to on`.execute(transaction);
          return work(transaction);
        }),
      ),
  };
}

/**
 * The cluster, its timeline and the database. A dump is restored into another database; a restore to
 * a point in time, and a standby that takes over, begin another timeline.
 */
const homeParts = [
  'select system_identifier::text as part from pg_control_system()',
  'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as part',
  'select oid::text as part from pg_database where datname = current_database()',
];

/**
 * A provider's PostgreSQL may lack a function, or keep it from this user. Aurora has the functions of
 * the log only if `wal_level` is `logical`, else it fails with 55000.
 */
const unsupportedCodes = new Set(['0A000', '42501', '42883', '55000']);

async function readHome({ pool }: Connections): Promise<string[]> {
  const parts: string[] = [];
  for (const statement of homeParts) {
    try {
      const { rows } = await pool.query<{ part: string }>(statement);
      parts.push(rows[0]?.part ?? '');
    } catch (error) {
      if (!unsupportedCodes.has(errnoOf(error))) throw error;
      parts.push('');
    }
  }
  return [parts.join(' ')];
}

/** Turns failures of connecting and load into a `Refusal`. */
async function guard<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw mapPostgresFailure(error);
  }
}

interface Shares {
  readonly reads: number;
  readonly admissions: number;
  readonly writes: number;
}

/**
 * Divides `connectionsMax` connections, at least 3, so that reads, admissions and writes do not wait
 * for each other. A server hardly writes; a command may write keys and data at the same time.
 */
function shareConnections(connectionsMax: number): Shares {
  const writes = connectionsMax < 8 ? 1 : 2;
  const reads = Math.ceil((connectionsMax - writes) / 2);
  return { reads, admissions: connectionsMax - writes - reads, writes };
}

function kysely<Tables>({ pool }: Connections, { hidesWorkspace = false } = {}): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createKyselyDriver(pool, { hidesWorkspace }) }),
  });
}
