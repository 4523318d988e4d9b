import type { Kysely, Selectable } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Theme } from '../storage/tables/people-tables.ts';
import { nearest } from '@overheard/contract';
import { Refusal } from '../refusals.ts';
import { foldEmail } from './email.ts';
import { isDuplicate } from '../storage/duplicate.ts';
import { newId } from '../values/uuid.ts';
import { endGrants } from './connectors/grants.ts';
import { endMailTo } from './end-mail.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';

/** A person who signs in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly theme: Theme;
  /** Whether keyboard shortcuts work on the pages. */
  readonly hasKeys: boolean;
}

export const userColumns = [
  'users.id',
  'users.email',
  'users.name',
  'users.is_operator',
  'users.password',
  'users.created_at',
  'users.disabled_at',
  'users.theme',
  'users.keys_off',
] as const;

type Row = Omit<Selectable<AccessTables['users']>, 'email_folded'>;

export function toUser({ is_operator, keys_off, password, ...row }: Row): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: Boolean(is_operator),
    hasPassword: password !== null,
    created_at: row.created_at,
    disabled_at: row.disabled_at,
    theme: row.theme,
    hasKeys: keys_off === '',
  };
}

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

/** Inserts a user. Throws a `Refusal` if the address is taken. `password` is a PHC string. */
export async function insertUser(
  db: Kysely<AccessTables>,
  {
    email,
    name,
    password = null,
    isOperator = false,
    clock,
  }: {
    email: string;
    name: string;
    password?: string | null;
    isOperator?: boolean;
    clock: () => number;
  },
): Promise<string> {
  const id = newId(clock);
  const row = {
    id,
    email,
    email_folded: foldEmail(email),
    name,
    password,
    is_operator: isOperator,
    created_at: new Date(clock()).toISOString(),
    disabled_at: null,
    theme: 'system',
    keys_off: '',
  } as const;
  try {
    await db.insertInto('users').values(row).execute();
  } catch (error) {
    throw isDuplicate(error) ? new Refusal('user_exists', { email }) : error;
  }
  return id;
}

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
    await endMailTo(transaction, { email: user.email });
    await transaction
      .updateTable('recipients')
      .set({ for_operator: false })
      .where('created_by', '=', user.id)
      .execute();
    await noteEvent(transaction, doing, { kind: 'user_disabled', facts: { email: user.email } });
    return { ...user, disabled_at: disabledAt };
  });
}

/** Lets a disabled user sign in again. */
export async function enableUser(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', userId).execute();
}

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
