import type { Logger } from 'pino';
import { listReceivers } from '../../../access/receivers.ts';
import { createSpoolReader } from '../../../crawlers/spool/spool-reader.ts';
import {
  createSpool,
  listSpool,
  measureSpool,
  removeParts,
  testSpool,
} from '../../../crawlers/spool/spool.ts';
import type { Spool } from '../../../crawlers/spool/spool.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import type { Store } from '../../../storage/store.ts';

/** Where a server puts received log lines, and the thread that reads them. */
export interface Receiving {
  /** Undefined if the server has no folder for them. */
  readonly spool: Spool | undefined;
  readonly waitingBytes?: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/**
 * Opens the spool of a server, and throws a `Refusal` if the named folder cannot be used. Reads what an earlier server has left there, and drops the addresses
 * that earlier lines had once they are old.
 */
export async function openReceiving({
  store,
  database,
  options: { spool: named, spoolMegabytes },
  clock,
  log,
}: {
  store: Pick<Store, 'access'>;
  database: string;
  options: { readonly spool?: string | undefined; readonly spoolMegabytes: number };
  clock: () => number;
  log: Logger;
}): Promise<Receiving> {
  const folder = named ?? (await folderBeside(database));
  if (folder === undefined) {
    log.info(
      'This server takes no log lines of hosts, because it has no folder for them: see --spool.',
    );
    return { spool: undefined, stop: async () => {} };
  }
  const reader = createSpoolReader({ database, folder }, (error) =>
    log.warn({ err: error }, 'received log lines could not be read yet'),
  );
  const bytesMax = spoolMegabytes * 1_000_000;
  const spool = createSpool({ folder, bytesMax, clock, onStored: reader.start });
  if (named !== undefined) await testSpool(folder);
  await removeParts(folder);
  const left = [
    ...(await listReceivers(store.access)),
    ...(await listSpool(folder)),
    ...(await listSpool(folder, 'unknown')),
  ];
  if (left.length > 0) reader.start();
  return { spool, waitingBytes: () => measureSpool(folder), stop: reader.stop };
}

/** `dir/overheard.spool` beside `dir/overheard.db`; none for PostgreSQL. */
async function folderBeside(database: string): Promise<string | undefined> {
  if (await isPostgresUrl(database)) return undefined;
  const { access } = databaseFiles(sqlitePath(database));
  return access.replace(/\.access\.db$/, '.spool');
}
