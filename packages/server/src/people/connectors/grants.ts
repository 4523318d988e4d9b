import type { Kysely } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { newId } from '../../values/uuid.ts';
import { noteEvent } from '../events.ts';
import type { ChangeAuthor, EventKind } from '../events.ts';
import { hashToken, newToken } from '../tokens.ts';

type Db = Kysely<AccessTables>;

const grantLastsMs = 365 * dayMs;
const codeLastsMs = 60_000;

/** A person's permission for a client to read a workspace. It exists until it ends. */
export type Grant = AccessTables['oauth_grants'];

/** A grant with the name and address of its person. */
export type ListedGrant = Grant & { readonly person: string; readonly email: string };

/**
 * Stores a person's permission, and returns a code that its client exchanges for tokens within a
 * minute. A client that the person has connected to the workspace before gets the same grant again,
 * because a program on two machines of theirs is one client.
 */
export async function makeGrant(
  db: Db,
  {
    redirectUri,
    challenge,
    clock,
    ...asked
  }: Pick<Grant, 'workspace_id' | 'user_id' | 'client_id' | 'client_name' | 'host' | 'resource'> & {
    redirectUri: string;
    challenge: string;
    clock: () => number;
  },
): Promise<string> {
  const nowMs = clock();
  const now = new Date(nowMs).toISOString();
  const expires_at = new Date(nowMs + grantLastsMs).toISOString();
  const { workspace_id, client_id, client_name, host } = asked;
  const code = newToken();
  await db.transaction().execute(async (transaction) => {
    await dropEnded(transaction, now);
    const { id } = await transaction
      .insertInto('oauth_grants')
      .values({ ...asked, id: newId(clock), created_at: now, used_at: now, expires_at })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'workspace_id', 'client_id', 'resource'])
          .doUpdateSet({ client_name, host, expires_at }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    // Drop codes that wait, so that consents in a row leave one.
    await transaction
      .deleteFrom('oauth_codes')
      .where('grant_id', '=', id)
      .where('used_at', 'is', null)
      .execute();
    await transaction
      .insertInto('oauth_codes')
      .values({
        hash: hashToken(code),
        workspace_id,
        grant_id: id,
        redirect_uri: redirectUri,
        challenge,
        expires_at: new Date(nowMs + codeLastsMs).toISOString(),
        used_at: null,
      })
      .execute();
    await transaction
      .updateTable('oauth_clients')
      .set({ used_at: now })
      .where('id', '=', client_id)
      .execute();
  });
  return code;
}

/** Drops codes and tokens whose time is over, and grants without any. */
async function dropEnded(db: Db, now: string): Promise<void> {
  await db.deleteFrom('oauth_codes').where('expires_at', '<=', now).execute();
  await db.deleteFrom('oauth_tokens').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('oauth_grants')
    .where('id', 'not in', db.selectFrom('oauth_codes').select('grant_id'))
    .where('id', 'not in', db.selectFrom('oauth_tokens').select('grant_id'))
    .execute();
}

/** Lists grants whose clients have tokens, the oldest first. */
export async function listGrants(
  db: Db,
  {
    workspaceId,
    userId,
    clock,
  }: { workspaceId?: string | undefined; userId?: string; clock: () => number },
): Promise<ListedGrant[]> {
  const live = db
    .selectFrom('oauth_tokens')
    .select('grant_id')
    .where('expires_at', '>', new Date(clock()).toISOString());
  return db
    .selectFrom('oauth_grants')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .selectAll('oauth_grants')
    .select(['users.name as person', 'users.email'])
    .where('oauth_grants.id', 'in', live)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .orderBy('oauth_grants.created_at')
    .orderBy('oauth_grants.id')
    .execute();
}

/** Why a grant ends: someone ends it, its client does, or a code or token of it is in two hands. */
type EndKind = Extract<EventKind, `connector_${string}`>;

/**
 * Ends a grant, or those of a user, if they are of the given workspace and user. Every server refuses
 * their tokens from the next request on. Returns those that ended.
 */
export async function endGrants(
  db: Db,
  {
    id,
    workspaceId,
    userId,
  }: { id?: string; workspaceId?: string; userId?: string } & ({ id: string } | { userId: string }),
  doing: ChangeAuthor,
  kind: EndKind = 'connector_ended',
): Promise<Grant[]> {
  const ended = await db
    .deleteFrom('oauth_grants')
    .where(({ and }) =>
      and({
        ...(id !== undefined && { id }),
        ...(workspaceId !== undefined && { workspace_id: workspaceId }),
        ...(userId !== undefined && { user_id: userId }),
      }),
    )
    .returningAll()
    .execute();
  for (const grant of ended) {
    await db.deleteFrom('oauth_codes').where('grant_id', '=', grant.id).execute();
    await db.deleteFrom('oauth_tokens').where('grant_id', '=', grant.id).execute();
    await noteGrant(db, grant, doing, kind);
  }
  return ended;
}

/** Stores in the history of the workspace what happened to a grant. */
export function noteGrant(
  db: Db,
  { workspace_id: workspaceId, client_name, host }: Grant,
  doing: ChangeAuthor,
  kind: EventKind,
): Promise<void> {
  return noteEvent(db, doing, { workspaceId, kind, facts: { name: `${client_name} (${host})` } });
}
