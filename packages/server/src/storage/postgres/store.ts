import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables } from '../schema.ts';
import type { KeyRecord, Snapshot, SnapshotOptions, Store } from '../store.ts';
import { mapPostgresFailure } from './failures.ts';
import { migrate } from './migrate.ts';
import { openPool, statementTimeoutMs } from './pool.ts';
import { openQuotaLog } from './quota-log.ts';

const selectKey =
  'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = $1';

/** Opens a PostgreSQL database, bringing its schema up to date. */
export async function openPostgresStore(
  url: string,
  {
    clock,
    connectionsMax,
    onIdleError,
  }: {
    clock: (() => number) | undefined;
    connectionsMax: number;
    onIdleError?: (error: Error) => void;
  },
): Promise<Store> {
  const options = { ...(onIdleError !== undefined && { onIdleError }) };
  // Reads and admissions do not queue behind each other.
  const half = Math.max(1, Math.floor(connectionsMax / 2));
  const readPool = openPool(url, {
    connectionsMax: half,
    isReadOnly: true,
    statementTimeoutMs,
    ...options,
  });
  const admissionPool = openPool(url, { connectionsMax: half, statementTimeoutMs, ...options });
  const writePool = openPool(url, { connectionsMax: 2, ...options });
  const writer = kysely<DataTables & AccessTables>(writePool);
  const reader = kysely<DataTables>(readPool);
  // Long reads leave connections for the short ones.
  const gate = createGate({
    max: Math.max(1, Math.floor(half / 2)),
    maxOfOwner: Math.max(1, Math.floor(half / 5)),
  });
  const count = openQuotaLog(admissionPool, { clock });
  try {
    await migrate(kysely<unknown>(writePool));
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
    const { rows } = await admissionPool.query<KeyRecord>({
      name: 'overheard-key',
      text: selectKey,
      values: [hash],
    });
    return rows[0];
  }

  async function touchKey(keyId: string, usedAt: string): Promise<void> {
    await admissionPool.query('update keys set last_used_at = $1 where id = $2', [usedAt, keyId]);
  }

  async function ping(): Promise<void> {
    await readPool.query('select 1');
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
    await Promise.all([readPool.end(), admissionPool.end(), writePool.end()]);
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

function kysely<Tables>(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
