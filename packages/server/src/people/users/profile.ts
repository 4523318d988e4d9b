import type { Kysely } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import { noteEvent } from '../events.ts';
import type { ChangeAuthor } from '../events.ts';
import type { User } from './user.ts';

type Db = Kysely<AccessTables>;

/** Changes the profile that a user edits themselves. */
export async function updateProfile(
  db: Db,
  userId: string,
  { name, theme, hasKeys }: Pick<User, 'name' | 'theme' | 'hasKeys'>,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ name, theme, keys_off: hasKeys ? '' : 'all' })
    .where('id', '=', userId)
    .execute();
}

/** Stores a new password, which ends every other session of the user and every unused link. */
export async function storePassword(
  db: Db,
  { userId, password, sessionId = '' }: { userId: string; password: string; sessionId?: string },
  doing: ChangeAuthor,
): Promise<void> {
  await db.updateTable('users').set({ password }).where('id', '=', userId).execute();
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', sessionId)
    .execute();
  await db.updateTable('sessions').set({ must_renew: true }).where('id', '=', sessionId).execute();
  await db.deleteFrom('links').where('user_id', '=', userId).where('used_at', 'is', null).execute();
  await noteEvent(db, doing, { kind: 'password_changed' });
}
