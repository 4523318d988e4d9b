import type { Kysely } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import { endGrants } from '../connectors/grants.ts';
import { noteEvent } from '../events.ts';
import type { ChangeAuthor } from '../events.ts';
import { getByEmail } from './find-users.ts';
import type { User } from './user.ts';

type Db = Kysely<AccessTables>;

/**
 * Disables a user: sessions, devices, links and connections of assistants end at once. Keys and roles stay until someone
 * decides about them.
 */
export async function disableUser(db: Db, email: string, doing: ChangeAuthor): Promise<User> {
  return db.transaction().execute(async (transaction) => {
    const user = await getByEmail(transaction, email);
    if (user.disabled_at !== null) return user;
    const disabledAt = new Date(doing.clock()).toISOString();
    await transaction
      .updateTable('users')
      .set({ disabled_at: disabledAt })
      .where('id', '=', user.id)
      .execute();
    for (const table of ['sessions', 'devices', 'links'] as const) {
      await transaction.deleteFrom(table).where('user_id', '=', user.id).execute();
    }
    await endGrants(transaction, { userId: user.id }, doing);
    await noteEvent(transaction, doing, { kind: 'user_disabled', facts: { email: user.email } });
    return { ...user, disabled_at: disabledAt };
  });
}

/** Lets a disabled user sign in again. */
export async function enableUser(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', userId).execute();
}
