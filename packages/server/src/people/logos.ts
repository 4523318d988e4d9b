import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';

/** The most bytes of a logo. */
export const logoBytesMax = 100_000;

/** Reads the logo of a workspace, a PNG. Undefined if it has none. */
export async function readLogo(
  db: Kysely<AccessTables>,
  workspaceId: string,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('logos')
    .select('png')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row && Buffer.from(row.png);
}

/** Whether a workspace has a logo. */
export async function hasLogo(db: Kysely<AccessTables>, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('logos')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the logo of a workspace in place of an earlier one; undefined removes it. */
export async function setLogo(
  db: Kysely<AccessTables>,
  { workspaceId, png }: { workspaceId: string; png: Buffer | undefined },
  author: ChangeAuthor,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('logos')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (png === undefined && numDeletedRows === 0n) return;
    if (png !== undefined) {
      await transaction.insertInto('logos').values({ workspace_id: workspaceId, png }).execute();
    }
    const kind = png === undefined ? 'logo_removed' : 'logo_set';
    await noteEvent(transaction, author, { workspaceId, kind });
  });
}
