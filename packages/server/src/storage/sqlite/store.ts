import { Kysely, SqliteDialect } from 'kysely';
import type { Transaction } from 'kysely';
import type { DatabaseSync } from 'node:sqlite';
import type { Refusal } from '../../refusals.ts';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables } from '../schema.ts';
import type { KeyRecord, Ledger, Snapshot, SnapshotOptions, Store } from '../store.ts';
import { openAdmission } from './admission.ts';
import { watchDamage } from './damage.ts';
import { mapSqliteFailure } from './failures.ts';
import { databaseFiles } from './files/files.ts';
import { openLedger } from './ledger.ts';
import { openHandle, openNoteHandle } from './handle.ts';
import { kyselyDatabase } from './kysely-driver.ts';
import { prepareFiles } from './migrate.ts';
import { openQuotaLog } from './quota-log.ts';
import type { QuotaLog } from './quota-log.ts';
import { keepReserve } from './files/reserve.ts';
import { createRowStatement } from './row-statement.ts';
import { refuseUnwritable } from './files/check.ts';
import { WriterDialect } from './writer-dialect.ts';

/** A server waits this long for another process before it asks again: the wait blocks its event loop. */
const serverWaitMs = 50;

/** Each long read has a handle and a page cache of its own. */
const snapshotsMax = 16;
const snapshotsMaxOfWorkspace = 3;

/** Opens the embedded database at `path`, bringing its schema up to date. */
export async function openSqliteStore(
  path: string,
  {
    mayCreate,
    isServer,
    clock,
    onCreate,
    onDamage,
  }: {
    mayCreate: boolean;
    isServer: boolean;
    clock: () => number;
    onCreate: (path: string) => void;
    onDamage: (refusal: Refusal) => void;
  },
): Promise<Store> {
  const files = databaseFiles(path);
  if (isServer) refuseUnwritable(files);
  await prepareFiles(files, { mayCreate, onCreate }).catch((error: unknown) => {
    throw mapSqliteFailure(error);
  });

  const readHandle = openHandle(files.data, { isReadOnly: true, waitMs: serverWaitMs });
  const keyHandle = openHandle(files.access, { isReadOnly: true, waitMs: serverWaitMs });
  const reader = kysely<DataTables>(() => readHandle);
  const writer = kysely<DataTables>(
    () => openHandle(files.data, { cacheKiB: 16_384, checkpointPages: 16_000 }),
    { isWriter: true },
  );
  const access = kysely<AccessTables>(() => openHandle(files.access), { isWriter: true });
  const gate = createGate({ max: snapshotsMax, maxOfOwner: snapshotsMaxOfWorkspace });
  let quotaHandle: DatabaseSync | undefined;
  let quotaLog: QuotaLog | undefined;
  const admission = openAdmission({
    dataHandle: readHandle,
    keyHandle,
    quotaLog: () => (quotaLog ??= openQuotaLog(noteHandle(), { clock })),
    clock,
  });

  let ledgerOpened: Ledger | undefined;
  const damage = watchDamage(onDamage);
  const endCheck = isServer ? damage.checkInBackground(files) : () => {};

  return {
    dialect: 'sqlite',
    reader,
    writer,
    access,
    ledger,
    findKey,
    admit: admission.admit,
    touchKey,
    write,
    rowStatement: createRowStatement,
    ping,
    snapshot,
    mapFailure: damage.mapFailure,
    close,
  };

  function noteHandle(): DatabaseSync {
    quotaHandle ??= openNoteHandle(files.access);
    return quotaHandle;
  }

  async function ledger({ mayCreate: mayMake = false } = {}): Promise<Ledger | undefined> {
    const { mapFailure } = damage;
    ledgerOpened ??= await openLedger(files, { mayCreate: mayMake, mapFailure });
    return ledgerOpened;
  }

  async function findKey(hash: string): Promise<KeyRecord | undefined> {
    // Where a part is known to be damaged, any other may be incomplete.
    damage.refuseDamaged();
    return admission.findKey(hash);
  }

  async function touchKey(keyId: string, usedAt: string): Promise<void> {
    noteHandle().prepare('update keys set last_used_at = ? where id = ?').run(usedAt, keyId);
  }

  async function write<Result>(
    work: (transaction: Transaction<DataTables>) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await writer.transaction().execute(work);
    } catch (error) {
      throw damage.mapFailure(error);
    }
  }

  async function ping(): Promise<void> {
    await findKey('');
    await admission.admit({ workspaceId: '', endpoint: '', quota: 0, windowSeconds: 0 });
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
    endCheck();
    quotaHandle?.close();
    keyHandle.close();
    await reader.destroy();
    // Kysely closes only what it has used.
    if (readHandle.isOpen) readHandle.close();
    // Writers last: the last one to leave merges the log into the file, which a reader cannot.
    await Promise.all([writer.destroy(), access.destroy(), ledgerOpened?.db.destroy()]);
    keepReserve(files);
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
