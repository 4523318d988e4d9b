import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';
import { hashToken, newToken } from './tokens.ts';

type Db = Kysely<AccessTables>;

/** Makes a one-time link for 24 hours. Its token is only in the result. */
export async function makeLink(
  db: Db,
  { user, ...doing }: ChangeAuthor & { user?: { id: string; email: string } },
): Promise<string> {
  const token = newToken();
  const nowMs = doing.clock();
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('links')
      .values({
        hash: hashToken(token),
        user_id: user?.id ?? null,
        created_at: new Date(nowMs).toISOString(),
        expires_at: new Date(nowMs + dayMs).toISOString(),
        used_at: null,
      })
      .execute();
    if (user === undefined) return;
    await noteEvent(transaction, doing, { kind: 'link_made', facts: { email: user.email } });
  });
  return token;
}

/** The user of a link that can still be used, null of a set-up link. Reading it does not use it up. */
export async function findLink(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<Pick<AccessTables['links'], 'user_id'> | undefined> {
  return db
    .selectFrom('links')
    .select('user_id')
    .where('hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(clock()).toISOString())
    .executeTakeFirst();
}

/** Uses up a link. False if someone else has used it, or if it has ended. */
export async function consumeLink(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<boolean> {
  const at = new Date(clock()).toISOString();
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set({ used_at: at })
    .where('hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends every set-up link, because there is a user now. */
export async function endSetUpLinks(db: Db): Promise<void> {
  await db.deleteFrom('links').where('user_id', 'is', null).where('used_at', 'is', null).execute();
}
