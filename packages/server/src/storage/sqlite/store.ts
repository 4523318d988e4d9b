import { Kysely, SqliteDialect } from 'kysely';
import type { DatabaseSync } from 'node:sqlite';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables } from '../schema.ts';
import type {
  Admission,
  AdmissionRequest,
  KeyRecord,
  Snapshot,
  SnapshotOptions,
  Store,
} from '../store.ts';
import { mapSqliteFailure, isBusy } from './failures.ts';
import { databaseFiles } from './files.ts';
import { openHandle } from './handle.ts';
import { kyselyDatabase } from './kysely-database.ts';
import { prepareFiles } from './migrate.ts';
import { openQuotaLog } from './quota-log.ts';
import type { QuotaRequest } from './quota-log.ts';
import { WriterDialect } from './writer-dialect.ts';

/** A server waits this long for another process before it asks again: the wait blocks its event loop. */
const serverWaitMs = 50;
const quotaTries = 40;

/** Each long read has a handle and a page cache of its own. */
const snapshotsMax = 16;
const snapshotsMaxOfWorkspace = 3;

/** Opens the embedded database at `path`, bringing its schema up to date. */
export async function openSqliteStore(
  path: string,
  { mayCreate, clock }: { mayCreate: boolean; clock: () => number },
): Promise<Store> {
  const files = databaseFiles(path);
  await prepareFiles(files, { mayCreate });

  const readHandle = openHandle(files.data, {
    isReadOnly: true,
    waitMs: serverWaitMs,
    cacheKiB: 16_384,
  });
  const keyHandle = openHandle(files.access, { isReadOnly: true, waitMs: serverWaitMs });
  const selectKey = keyHandle.prepare(
    'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = ?',
  );
  const selectRevision = readHandle.prepare(
    'select revision from revisions where workspace_id = ?',
  );
  const reader = kysely<DataTables>(() => readHandle);
  const writer = kysely<DataTables>(() => openHandle(files.data, { cacheKiB: 16_384 }), {
    isWriter: true,
  });
  const access = kysely<AccessTables>(() => openHandle(files.access), { isWriter: true });
  const gate = createGate({ max: snapshotsMax, maxOfOwner: snapshotsMaxOfWorkspace });
  let quotaHandle: DatabaseSync | undefined;
  let countQuota:
    | ((request: QuotaRequest) => ReturnType<ReturnType<typeof openQuotaLog>>)
    | undefined;

  return {
    dialect: 'sqlite',
    reader,
    writer,
    access,
    findKey,
    touchKey,
    admit,
    ping,
    snapshot,
    mapFailure: mapSqliteFailure,
    close,
  };

  function findKey(hash: string): KeyRecord | undefined {
    const row = selectKey.get(hash);
    return row === undefined ? undefined : keyRecord(row);
  }

  function admit(request: AdmissionRequest): Admission | Promise<Admission> {
    const revision = String(selectRevision.get(request.workspaceId)?.['revision'] ?? '');
    if (request.quota === 0) return { revision, quota: undefined, quotaFailure: undefined };
    return count(request, revision, quotaTries);
  }

  function count(
    request: AdmissionRequest,
    revision: string,
    triesLeft: number,
  ): Admission | Promise<Admission> {
    try {
      const quota = quotaLog()({
        ...request,
        windowMs: request.windowSeconds * 1000,
      });
      return { revision, quota, quotaFailure: undefined };
    } catch (error) {
      if (!isBusy(error) || triesLeft === 0)
        return { revision, quota: undefined, quotaFailure: error };
      return new Promise((resolve) => {
        setTimeout(() => resolve(count(request, revision, triesLeft - 1)), 5);
      });
    }
  }

  function quotaLog(): NonNullable<typeof countQuota> {
    countQuota ??= openQuotaLog(noteHandle(), { clock });
    return countQuota;
  }

  /** For what may be lost in a crash of the machine: it is not worth a sync per request. */
  function noteHandle(): DatabaseSync {
    quotaHandle ??= openHandle(files.access, { isDurable: false, waitMs: serverWaitMs });
    return quotaHandle;
  }

  async function touchKey(keyId: string, usedAt: string): Promise<void> {
    noteHandle().prepare('update keys set last_used_at = ? where id = ?').run(usedAt, keyId);
  }

  async function ping(): Promise<void> {
    selectRevision.get('');
    selectKey.get('');
  }

  async function snapshot({ workspaceId, isBrief = false }: SnapshotOptions): Promise<Snapshot> {
    const leave = isBrief ? () => {} : await gate.enter(workspaceId);
    try {
      const handle = openHandle(files.data, { isReadOnly: true, waitMs: serverWaitMs });
      handle.exec('begin');
      return {
        db: kysely<DataTables>(() => handle),
        release: async () => {
          if (handle.isOpen) handle.close();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function close(): Promise<void> {
    quotaHandle?.close();
    keyHandle.close();
    await reader.destroy();
    // Kysely closes only what it has used.
    if (readHandle.isOpen) readHandle.close();
    // Writers last: the last one to leave merges the log into the file, which a reader cannot.
    await Promise.all([writer.destroy(), access.destroy()]);
  }
}

function kysely<Tables>(
  open: () => DatabaseSync,
  options: { isWriter?: boolean } = {},
): Kysely<Tables> {
  const config = { database: async () => kyselyDatabase(open(), options) };
  const isWriter = options.isWriter === true;
  return new Kysely<Tables>({
    dialect: isWriter ? new WriterDialect(config) : new SqliteDialect(config),
  });
}

function keyRecord(row: Record<string, unknown>): KeyRecord {
  return {
    id: String(row['id']),
    workspace_id: String(row['workspace_id']),
    expires_at: textOrNull(row['expires_at']),
    revoked_at: textOrNull(row['revoked_at']),
    last_used_at: textOrNull(row['last_used_at']),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
