import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { hashToken, newToken } from './tokens.ts';

/** Whether a device cookie's token belongs to a user: this browser has signed in as them. */
export async function isKnownDevice(
  db: Kysely<AccessTables>,
  { token, userId }: { token: string; userId: string },
): Promise<boolean> {
  const device = await db
    .selectFrom('devices')
    .select('hash')
    .where('hash', '=', hashToken(token))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return device !== undefined;
}

/** Remembers that a browser has signed in to an account; returns the token of its cookie. */
export async function rememberDevice(
  db: Kysely<AccessTables>,
  { userId, clock }: { userId: string; clock: () => number },
): Promise<string> {
  const token = newToken();
  const createdAt = new Date(clock()).toISOString();
  await db
    .insertInto('devices')
    .values({ hash: hashToken(token), user_id: userId, created_at: createdAt })
    .execute();
  return token;
}
