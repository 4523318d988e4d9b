import { nearest } from '@overheard/contract';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { AccessTables } from '../../storage/schema.ts';
import { foldEmail } from '../email.ts';
import { toUser, userColumns } from './user.ts';
import type { User } from './user.ts';

type Db = Kysely<AccessTables>;

/** Every user, by address. */
export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db.selectFrom('users').select(userColumns).orderBy('email_folded').execute();
  return rows.map(toUser);
}

export async function hasUsers(db: Db): Promise<boolean> {
  const anyUser = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return anyUser !== undefined;
}

/** The user of an address, and the stored password. */
export async function findByEmail(
  db: Db,
  email: string,
): Promise<{ user: User; password: string | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(userColumns)
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst();
  return row === undefined ? undefined : { user: toUser(row), password: row.password };
}

/** The user of an address. Throws a `Refusal` that names the nearest one if there is none. */
export async function getByEmail(db: Db, email: string): Promise<User> {
  const account = await findByEmail(db, email);
  if (account !== undefined) return account.user;
  const emails = (await listUsers(db)).map((user) => user.email);
  throw new Refusal('user_not_found', { email, nearest: nearest(email, emails) });
}

/** The names of users, by their ids. Skips ids that are null. */
export async function namesOfUsers(
  db: Kysely<AccessTables>,
  ids: ReadonlyArray<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids.map((id) => id ?? ''));
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', ['', ...wanted])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The operators who can sign in, by name. */
export async function listOperators(
  db: Kysely<AccessTables>,
): Promise<ReadonlyArray<Pick<User, 'name' | 'email'>>> {
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('is_operator', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
}
