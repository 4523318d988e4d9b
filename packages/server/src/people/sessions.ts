import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { newId } from '../values/uuid.ts';
import { hashToken, newToken } from './tokens.ts';
import { toUser, userColumns } from './users.ts';
import type { User } from './users.ts';

const idleMs = 14 * dayMs;
const lastsMs = 90 * dayMs;
/** A session's last use is written at most this often. */
const seenEveryMs = 5 * 60_000;

const columns = ['id', 'created_at', 'seen_at', 'browser'] as const;

export type Session = Readonly<Pick<AccessTables['sessions'], (typeof columns)[number]>>;

/** An open session and its user. */
export interface OpenSession extends Session {
  readonly user: User;
  readonly mustRenew: boolean;
  /** Whether the last use of the session must be written. */
  readonly isUnseen: boolean;
}

type Db = Kysely<AccessTables>;

/** Starts a session. Its token is only in the result. */
export async function startSession(
  db: Db,
  { userId, browser, clock }: { userId: string; browser: string; clock: () => number },
): Promise<string> {
  const token = newToken();
  const at = new Date(clock()).toISOString();
  const { idleSince, startedBefore } = expiryLimits(clock());
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(({ or, eb }) =>
      or([eb('seen_at', '<=', idleSince), eb('created_at', '<=', startedBefore)]),
    )
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id: newId(clock),
      hash: hashToken(token),
      user_id: userId,
      created_at: at,
      seen_at: at,
      browser: browser.slice(0, 100),
      must_renew: false,
    })
    .execute();
  return token;
}

/** The open session of a token: not ended, idle for under 14 days, younger than 90, of an enabled user. */
export async function findSession(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<OpenSession | undefined> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as session_id', 'sessions.created_at as started_at', 'seen_at'])
    .select(['browser', 'must_renew', ...userColumns])
    .where('sessions.hash', '=', hashToken(token))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const { idleSince, startedBefore } = expiryLimits(clock());
  if (session.seen_at <= idleSince || session.started_at <= startedBefore) return undefined;
  return {
    id: session.session_id,
    created_at: session.started_at,
    seen_at: session.seen_at,
    browser: session.browser,
    mustRenew: Boolean(session.must_renew),
    isUnseen: clock() - Date.parse(session.seen_at) >= seenEveryMs,
    user: toUser(session),
  };
}

/** A session has ended if it was last used, or started, at these moments or before. */
function expiryLimits(nowMs: number) {
  return {
    idleSince: new Date(nowMs - idleMs).toISOString(),
    startedBefore: new Date(nowMs - lastsMs).toISOString(),
  };
}

/** Writes that a session is in use. */
export async function touchSession(
  db: Db,
  id: string,
  { clock }: { clock: () => number },
): Promise<void> {
  const seenAt = new Date(clock()).toISOString();
  await db.updateTable('sessions').set({ seen_at: seenAt }).where('id', '=', id).execute();
}

/** Gives a session a new token after it gained rights. Undefined if another request has done so. */
export async function renewSession(db: Db, id: string): Promise<string | undefined> {
  const token = newToken();
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ hash: hashToken(token), must_renew: false })
    .where('id', '=', id)
    .where('must_renew', '=', true)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? token : undefined;
}

/** Marks the sessions of a user who gains rights. */
export async function renewSessionsOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ must_renew: true })
    .where('user_id', '=', userId)
    .execute();
}

/** Lists a user's sessions, the last used first. */
export async function listSessions(
  db: Db,
  userId: string,
  { clock }: { clock: () => number },
): Promise<Session[]> {
  const { idleSince, startedBefore } = expiryLimits(clock());
  return db
    .selectFrom('sessions')
    .select(columns)
    .where('user_id', '=', userId)
    .where('seen_at', '>', idleSince)
    .where('created_at', '>', startedBefore)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends one session of a user. Every process refuses it from the next request on. */
export async function endSession(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).execute();
}
