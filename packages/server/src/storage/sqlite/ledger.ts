import { realpathSync, statSync } from 'node:fs';
import { Kysely } from 'kysely';
import { noteRestore } from '../ledger-home.ts';
import { schemaParts } from '../migrations/schema-parts.ts';
import type { LedgerTables } from '../schema.ts';
import type { Ledger } from '../store.ts';
import type { DatabaseFiles } from './files/files.ts';
import { joinLedger } from './files/join-files.ts';
import { createGroupCommit } from './group-commit.ts';
import { openHandle } from './handle.ts';
import { createKyselyDriver, WriterDialect } from './kysely-driver.ts';
import { isThere, migrateFile } from './migrate.ts';

/**
 * Opens the file of the ledger, and creates or migrates it. Undefined if there is none and none may
 * be created.
 */
export async function openLedger(
  files: DatabaseFiles,
  {
    mayCreate,
    mapFailure,
    clock,
  }: { mayCreate: boolean; mapFailure: (error: unknown) => unknown; clock: () => number },
): Promise<Ledger | undefined> {
  const isNew = !isThere(files.ledger);
  if (!mayCreate && isNew) return undefined;
  // The first engine gets its ledger before it is stored, so this one takes the place of a lost one.
  const isLost = isNew && hasEngines(files);
  try {
    await migrateFile(files.ledger, schemaParts.ledger);
    joinLedger(files);
  } catch (error) {
    throw mapFailure(error);
  }
  // Every write is synced to disk, because a lost claim would be billed twice.
  const database = async () => createKyselyDriver(openHandle(files.ledger), { isWriter: true });
  const db = new Kysely<LedgerTables>({ dialect: new WriterDialect({ database }) });
  const commit = createGroupCommit(db);
  const ledger: Ledger = {
    db,
    home: async () => homeOf(files.ledger),
    write: async (work) => {
      try {
        return await commit(work);
      } catch (error) {
        throw mapFailure(error);
      }
    },
  };
  await noteRestore(ledger, { at: new Date(clock()).toISOString(), isTold: isLost });
  return ledger;
}

function hasEngines({ access }: DatabaseFiles): boolean {
  const database = openHandle(access, { isReadOnly: true });
  try {
    return database.prepare('select 1 from engines').get() !== undefined;
  } finally {
    database.close();
  }
}

/**
 * The file by its inode and by its path. A file that is moved keeps one of them; a container may see
 * another path than its host, and some file systems another inode after a restart.
 */
function homeOf(path: string): string[] {
  const real = realpathSync(path);
  return [`inode ${statSync(real, { bigint: true }).ino}`, `path ${real}`];
}
