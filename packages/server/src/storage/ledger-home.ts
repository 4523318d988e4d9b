import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Ledger } from './store.ts';
import type { LedgerTables } from './schema.ts';

/**
 * Reads when the ledger was last restored, whether it is in another place than the one that it was last
 * used in, and whether its place was ever noted. Writes nothing.
 */
export async function readRestore({ db, home }: Ledger) {
  const row = await selectRestore(db).executeTakeFirst();
  if (row === undefined) return { restoredAt: null, isMoved: false, isNoted: false };
  const names = await home();
  const isMoved = !homeNames
    .parse(JSON.parse(row.home))
    .some((noted) => names.some((name) => isSamePlace(noted, name)));
  return { restoredAt: row.restored_at, isMoved, isNoted: true };
}

/**
 * Notes where the ledger is. If it is in another place than last time, it is a copy that does not
 * know what was asked since it was made, so this moment is kept as that of its restore. `isTold` if
 * a person says that it was restored. Returns the moment of the last restore.
 */
export async function noteRestore(
  ledger: Ledger,
  { at, isTold = false }: { at: string; isTold?: boolean },
): Promise<string | null> {
  const { restoredAt, isMoved, isNoted } = await readRestore(ledger);
  const isRestored = isTold || isMoved;
  if (isNoted && !isRestored) return restoredAt;
  const row = {
    home: JSON.stringify(await ledger.home()),
    restored_at: isRestored ? at : restoredAt,
  };
  await ledger.write((transaction) =>
    transaction
      .insertInto('ledger_home')
      .values({ id: 'ledger', ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute(),
  );
  return row.restored_at;
}

/**
 * Notes that an engine is about to be switched on. If the backup has switched every engine off, this
 * is the moment of the restore: the copy may have been opened while the original still asked.
 */
export async function noteUse(ledger: Ledger, { at }: { at: string }): Promise<void> {
  const paces = await ledger.db.selectFrom('paces').select('off_reason').execute();
  const reasons = new Set(paces.map(({ off_reason: reason }) => reason));
  const isUnusedCopy = reasons.has('restored') && !reasons.has(null);
  await noteRestore(ledger, { at, isTold: isUnusedCopy });
}

/** Selects the one row, if the ledger has been noted. */
export function selectRestore(db: Kysely<LedgerTables>) {
  return db.selectFrom('ledger_home').select(['home', 'restored_at']);
}

const homeNames = z.array(z.string());

/** Whether two names agree in all parts that both know: some users may not read each part. */
function isSamePlace(one: string, other: string): boolean {
  const [parts, others] = [one.split(' '), other.split(' ')];
  const isSame = (part: string, otherPart?: string): boolean =>
    part === otherPart || part === '' || otherPart === '';
  return parts.length === others.length && parts.every((part, at) => isSame(part, others[at]));
}
