import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../refusals.ts';
import { isUnfinished } from '../copy/copy-database.ts';
import { createGate } from '../gate.ts';
import type { AccessTables, DataTables } from '../schema.ts';
import type { Ledger, Snapshot, Store, StoreOptions } from '../store.ts';
import { openAdmission } from './admission.ts';
import { backUpBeforeUpgrade, stateOf } from './backup/before-upgrade.ts';
import { watchDamage } from './damage.ts';
import type { DamageWatch } from './damage.ts';
import { mapSqliteFailure } from './failures.ts';
import { databaseFiles } from './files/files.ts';
import type { DatabaseFiles } from './files/files.ts';
import { openLedger } from './ledger.ts';
import { openHandle, openNoteHandle } from './handle.ts';
import { createKyselyDriver, createRowStatement, WriterDialect } from './kysely-driver.ts';
import { joinFiles } from './files/join-files.ts';
import { migrateFiles } from './migrate.ts';
import { openQuotaLog } from './quota-log.ts';
import type { QuotaLog } from './quota-log.ts';
import { keepReserve } from './files/reserve.ts';
import { refuseUnwritable } from './files/check.ts';

/**
 * How long a server waits for another process inside SQLite before it retries. The wait blocks its
 * event loop.
 */
const serverWaitMs = 50;

/** A smaller page cache makes large transactions slower. */
const writerCacheKiB = 16_384;

/** Most long reads at once, because each has its own handle and page cache. */
const snapshotsMax = 16;
const snapshotsMaxOfWorkspace = 3;

/** Opens the embedded database at `path`, bringing its schema up to date. */
export async function openSqliteStore(
  path: string,
  {
    mayCreate = false,
    isServer = false,
    mayBeUnfinished = false,
    clock,
    onCreate,
    upgradeFolder,
    onUpgrade = () => {},
    onDamage = () => {},
  }: StoreOptions & { readonly clock: () => number },
): Promise<Store> {
  const files = databaseFiles(path);
  if (isServer) refuseUnwritable(files);
  try {
    const state = stateOf(files);
    if (state === 'older') {
      const onBegin = (backup: string) => onUpgrade({ backup });
      await backUpBeforeUpgrade(files, { folder: upgradeFolder, clock, onBegin });
      onUpgrade({ migration: true });
    }
    if (state === 'current') joinFiles(files);
    else await migrateFiles(files, { mayCreate, onCreate });
  } catch (error) {
    throw mapSqliteFailure(error);
  }
  const handles = openHandles(files);
  const { reader, writer, access } = handles;
  if (!mayBeUnfinished && (await isUnfinished({ data: reader, dialect: 'sqlite' }))) {
    await handles.close(undefined);
    throw new Refusal('copy_unfinished', {});
  }
  const damage = watchDamage(onDamage);
  const { mapFailure } = damage;
  let ledger: Ledger | undefined;
  const endCheck = isServer ? damage.checkInBackground(files) : () => {};

  return {
    dialect: 'sqlite',
    secretFile: join(dirname(path), 'overheard.secret'),
    reader,
    writer,
    access,
    ledger: async (options) =>
      (ledger ??= await openLedger(files, { mayCreate: false, ...options, mapFailure, clock })),
    ...keyDoor(handles, { damage, clock }),
    ledgerClock: async (machineClock) => machineClock,
    write: (work) => mapRejection(mapFailure, writer.transaction().execute(work)),
    rowStatement: createRowStatement,
    snapshot: openSnapshots(files),
    bytes: async () =>
      [files.data, files.access, files.ledger]
        .flatMap((file) => [file, `${file}-wal`])
        .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    connections: undefined,
    mapFailure,
    close: async () => {
      endCheck();
      await handles.close(ledger);
      keepReserve(files);
    },
  };
}

/** The parts of the store that a request needs before its rows are read. */
function keyDoor(
  { dataHandle, keyHandle, noteHandle }: ReturnType<typeof openHandles>,
  { damage, clock }: { damage: DamageWatch; clock: () => number },
): Pick<Store, 'findKey' | 'touchKey' | 'admit' | 'ping'> {
  let log: QuotaLog | undefined;
  const quotaLog = () => (log ??= openQuotaLog(noteHandle(), { clock }));
  const admission = openAdmission({ dataHandle, keyHandle, quotaLog, clock });
  const { admit } = admission;
  return {
    findKey,
    touchKey: async (keyId, usedAt) => {
      noteHandle().prepare('update keys set last_used_at = ? where id = ?').run(usedAt, keyId);
    },
    admit,
    ping: async () => {
      await findKey('');
      await admit({ workspaceId: '', endpoint: '', quota: 0, windowSeconds: 0 });
    },
  };

  async function findKey(hash: string) {
    // If one part is known to be damaged, any other may be incomplete.
    if (damage.found !== undefined) throw damage.found;
    return admission.findKey(hash);
  }
}

async function mapRejection<Result>(
  mapFailure: (error: unknown) => unknown,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw mapFailure(error);
  }
}

/**
 * Opens the handles that stay open all the time. The handle for notes is opened when it is needed.
 */
function openHandles(files: DatabaseFiles) {
  const dataHandle = openHandle(files.data, { isReadOnly: true, waitMs: serverWaitMs });
  const keyHandle = openHandle(files.access, { isReadOnly: true, waitMs: serverWaitMs });
  const reader = kysely<DataTables>(() => dataHandle);
  const writer = kysely<DataTables>(
    () => openHandle(files.data, { cacheKiB: writerCacheKiB, checkpointPages: 16_000 }),
    { isWriter: true },
  );
  const access = kysely<AccessTables>(() => openHandle(files.access), { isWriter: true });
  let notes: DatabaseSync | undefined;
  const noteHandle = () => (notes ??= openNoteHandle(files.access));
  return { dataHandle, keyHandle, reader, writer, access, noteHandle, close };

  async function close(ledger: Ledger | undefined): Promise<void> {
    notes?.close();
    keyHandle.close();
    await reader.destroy();
    // Kysely closes only what it has used.
    if (dataHandle.isOpen) dataHandle.close();
    // Close writers last, because the last connection merges the log into the file, which a reader
    // cannot.
    await Promise.all([writer.destroy(), access.destroy(), ledger?.db.destroy()]);
  }
}

function openSnapshots(files: DatabaseFiles): Store['snapshot'] {
  const gate = createGate({ max: snapshotsMax, maxOfOwner: snapshotsMaxOfWorkspace });
  return async function snapshot({ workspaceId, isBrief = false }): Promise<Snapshot> {
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
  };
}

function kysely<Tables>(
  open: () => DatabaseSync,
  options: { isWriter?: boolean } = {},
): Kysely<Tables> {
  const config = { database: async () => createKyselyDriver(open(), options) };
  const isWriter = options.isWriter === true;
  return new Kysely<Tables>({
    dialect: isWriter ? new WriterDialect(config) : new SqliteDialect(config),
  });
}
