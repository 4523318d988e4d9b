import { existsSync } from 'node:fs';
import { Kysely, SqliteDialect } from 'kysely';
import type { DatabaseFiles } from './files/files.ts';
import { openHandle } from './handle.ts';
import { createKyselyDriver } from './kysely-driver.ts';

/**
 * Opens the files of a database for reading, each as it is at this moment, whatever a server writes
 * meanwhile. Keys and ledger are read just after the data, as in a backup.
 */
export function snapshotFiles({ data, access, ledger }: DatabaseFiles) {
  const opened = [data, access, ...(existsSync(ledger) ? [ledger] : [])].map(open);
  const [ofData, ofAccess, ofLedger] = opened;
  if (ofData === undefined || ofAccess === undefined) throw new Error('No files');
  return {
    data: ofData,
    access: ofAccess,
    ledger: ofLedger,
    release: async () => {
      await Promise.all(opened.map((each) => each.destroy()));
    },
  };
}

function open(path: string): Kysely<unknown> {
  const handle = openHandle(path, { isReadOnly: true });
  handle.exec('begin');
  // The first read takes the snapshot.
  handle.prepare('select count(*) from sqlite_schema').get();
  return new Kysely<unknown>({
    dialect: new SqliteDialect({ database: createKyselyDriver(handle) }),
  });
}
