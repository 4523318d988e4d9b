import { Kysely, PostgresDialect } from 'kysely';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables } from '../schema.ts';
import type { KeyRecord, Snapshot, SnapshotOptions, Store } from '../store.ts';
import { readAddress } from './address.ts';
import { mapPostgresFailure } from './failures.ts';
import { kyselyPool } from './kysely-pool.ts';
import { migrate } from './migrate.ts';
import { openPool, statementTimeoutMs } from './pool.ts';
import type { Connections } from './pool.ts';
import { openQuotaLog } from './quota-log.ts';
import { reach } from './reach.ts';
import { shareConnections } from './share-connections.ts';

const selectKey =
  'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = $1';

/** Opens a PostgreSQL database, bringing its schema up to date. */
export async function openPostgresStore(
  url: string,
  {
    clock,
    connectionsMax,
    onLost,
  }: {
    clock: (() => number) | undefined;
    connectionsMax: number;
    onLost?: (error: Error) => void;
  },
): Promise<Store> {
  const address = readAddress(url);
  const lost = { ...(onLost !== undefined && { onLost }) };
  const shares = shareConnections(connectionsMax);
  const reads = await reach(address, { connectionsMax: shares.reads, isReadOnly: true, ...lost });
  const { isSession } = reads;
  const admissions = openPool(address, {
    connectionsMax: shares.admissions,
    statementTimeoutMs,
    isSession,
    ...lost,
  });
  const writes = openPool(address, { connectionsMax: shares.writes, isSession, ...lost });
  const writer = kysely<DataTables & AccessTables>(writes);
  const reader = kysely<DataTables>(reads);
  // Long reads leave connections for the short ones.
  const gate = createGate({
    max: Math.max(1, Math.floor(shares.reads / 2)),
    maxOfOwner: Math.max(1, Math.floor(shares.reads / 5)),
  });
  const count = openQuotaLog(admissions.pool, { clock, isSession });
  try {
    await migrate(kysely<unknown>(writes));
  } catch (error) {
    await close();
    throw mapPostgresFailure(error);
  }

  return {
    dialect: 'postgres',
    reader,
    writer,
    access: writer,
    findKey: (hash) => guard(findKey(hash)),
    touchKey: (keyId, usedAt) => guard(touchKey(keyId, usedAt)),
    admit: (request) => guard(count(request)),
    ping: () => guard(ping()),
    snapshot: (wanted) => guard(snapshot(wanted)),
    mapFailure: mapPostgresFailure,
    close,
  };

  async function findKey(hash: string): Promise<KeyRecord | undefined> {
    const { rows } = await admissions.pool.query<KeyRecord>({
      ...(isSession && { name: 'overheard-key' }),
      text: selectKey,
      values: [hash],
    });
    return rows[0];
  }

  async function touchKey(keyId: string, usedAt: string): Promise<void> {
    await admissions.pool.query('update keys set last_used_at = $1 where id = $2', [usedAt, keyId]);
  }

  async function ping(): Promise<void> {
    await reads.pool.query('select 1');
  }

  async function snapshot({ workspaceId, isBrief = false }: SnapshotOptions): Promise<Snapshot> {
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
  }

  async function close(): Promise<void> {
    await Promise.all([reads, admissions, writes].map((each) => each.close()));
  }
}

/** Failures of reach and load leave as `UnavailableError`. */
async function guard<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw mapPostgresFailure(error);
  }
}

function kysely<Tables>({ pool }: Connections): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) });
}
