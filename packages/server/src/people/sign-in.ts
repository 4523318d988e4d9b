import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { foldEmail } from './email.ts';
import { noteEvent } from './events.ts';
import type { GuessLimit } from './guess-limit.ts';
import { consumeLink, findLink } from './links.ts';
import { verifyPassword } from './password.ts';
import type { PasswordQueue } from './password-queue.ts';
import { startSession } from './sessions.ts';
import { hashToken, newToken } from './tokens.ts';
import { findByEmail, storePassword } from './users.ts';

/** The tokens that a browser gets when it signs in. */
export interface SignedIn {
  readonly session: string;
  /** A new device token; undefined if the browser already has one. */
  readonly device: string | undefined;
}

export type SignInOutcome =
  | ({ readonly kind: 'admitted' } & SignedIn)
  /** The address is unknown, disabled or without a password, or the password is wrong. The page never says which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'busy' };

/** The limits that all requests to sign in share. */
export interface SignInLimits {
  readonly queue: PasswordQueue;
  readonly guesses: GuessLimit;
}

/** Signs a person in by address and password. */
export async function signIn(
  store: Store,
  {
    email,
    password,
    device,
    network,
    browser,
    clock,
  }: {
    email: string;
    password: string;
    /** The token of the device cookie; empty if there is none. */
    device: string;
    network: string;
    browser: string;
    clock: () => number;
  },
  { queue, guesses }: SignInLimits,
): Promise<SignInOutcome> {
  const userOfEmail = await findByEmail(store.access, email);
  const user = userOfEmail?.user;
  const isKnown = await isKnownDevice(store.access, { token: device, userId: user?.id ?? '' });
  // A browser that has signed in before waits only after its own wrong guesses, not after those of
  // strangers.
  const account = isKnown ? `device ${hashToken(device)}` : `account ${foldEmail(email)}`;
  const seconds = guesses.note({ network: isKnown ? account : network, account });
  if (seconds !== undefined) return { kind: 'wait', seconds };
  const stored = user?.disabled_at === null ? (userOfEmail?.password ?? null) : null;
  const isRight = await queue({ network, isKnown }, () => verifyPassword(password, stored));
  if (isRight === undefined) return { kind: 'busy' };
  if (!isRight || user === undefined) return { kind: 'refused' };
  guesses.forget(account);
  const admitted = await store.access
    .transaction()
    .execute((transaction) => admitUser(transaction, { userId: user.id, isKnown, browser, clock }));
  return { kind: 'admitted', ...admitted };
}

/**
 * Signs a person in by a one-time link, with a new password if one is given. Undefined if the link
 * was used or has ended.
 */
export async function signInByLink(
  store: Store,
  {
    token,
    password,
    browser,
    clock,
  }: {
    token: string;
    /** A PHC string. */
    password: string | undefined;
    browser: string;
    clock: () => number;
  },
): Promise<SignedIn | undefined> {
  return store.access.transaction().execute(async (transaction) => {
    const userId = (await findLink(transaction, token, { clock }))?.user_id;
    if (userId === undefined || userId === null) return undefined;
    if (!(await consumeLink(transaction, token, { clock }))) return undefined;
    if (password !== undefined) {
      await storePassword(transaction, { userId, password }, { userId, clock });
    }
    return admitUser(transaction, { userId, browser, clock });
  });
}

/** Starts a session of a user in the caller's transaction. */
export async function admitUser(
  db: Kysely<AccessTables>,
  {
    userId,
    isKnown = false,
    browser,
    clock,
  }: { userId: string; isKnown?: boolean; browser: string; clock: () => number },
): Promise<SignedIn> {
  const session = await startSession(db, { userId, browser, clock });
  const device = isKnown ? undefined : await rememberDevice(db, { userId, clock });
  await noteEvent(db, { userId, clock }, { kind: 'signed_in' });
  return { session, device };
}

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
async function rememberDevice(
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
