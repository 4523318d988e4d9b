import { copyDatabase } from '../copy/copy-database.ts';
import type { TableDigest } from '../copy/copy-database.ts';
import { databaseFiles } from '../sqlite/files/files.ts';
import { snapshotFiles } from '../sqlite/snapshot-files.ts';
import type { Store } from '../store.ts';
import { withCopyLock } from './copy-lock.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';
import { openStore } from './open-store.ts';

/**
 * Copies one database into another, from one snapshot, and returns what was compared. Migrates the
 * source first, as every command does. Throws a `Refusal`, see `copyDatabase`.
 */
export async function copyBetween(
  { from, to }: { from: string; to: string },
  options: Parameters<typeof copyDatabase>[2],
): Promise<readonly TableDigest[]> {
  const source = await openStore(from, { connectionsMax: 3 });
  try {
    const target = await openStore(to, { mayCreate: true, mayBeUnfinished: true });
    try {
      return await withCopyLock(target, to, async () => {
        // Migrates the ledger, which an embedded database does only when something opens it.
        await source.ledger();
        const snapshot = await openSnapshot(source, from);
        try {
          const mayCreate = snapshot.ledger !== undefined;
          const ledger = (await target.ledger({ mayCreate }))?.db;
          const { writer: data, access, dialect } = target;
          return await copyDatabase(snapshot, { data, access, ledger, dialect }, options);
        } finally {
          await snapshot.release();
        }
      });
    } catch (error) {
      throw target.mapFailure(error);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** PostgreSQL has all parts in one database. */
async function openSnapshot(source: Store, url: string) {
  if (!(await isPostgresUrl(url))) return snapshotFiles(databaseFiles(sqlitePath(url)));
  const { db, release } = await source.snapshot({ workspaceId: '' });
  return { data: db, access: db, ledger: db, release };
}
