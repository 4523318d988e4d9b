import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { AccessTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { newId } from '../../values/uuid.ts';
import { noteEvent } from '../events.ts';
import type { ChangeAuthor } from '../events.ts';
import { hashToken, newToken } from '../tokens.ts';
import { connectorScope } from './address.ts';

type Db = Kysely<AccessTables>;

const grantLastsMs = 365 * dayMs;
const codeLastsMs = 60_000;

/** A person's permission for a client to read a workspace. */
export interface Grant {
  readonly id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly client_name: string;
  readonly host: string;
  readonly created_at: string;
  /** When the client last took a token, which it does about once an hour while it is in use. */
  readonly used_at: string | null;
  readonly expires_at: string;
  readonly revoked_at: string | null;
}

const columns = [
  'id',
  'workspace_id',
  'user_id',
  'client_name',
  'host',
  'created_at',
  'used_at',
  'expires_at',
  'revoked_at',
] as const;

/**
 * Stores a person's permission, and returns a code that its client exchanges for tokens within a
 * minute. Throws a `Refusal` if the workspace is removed meanwhile.
 */
export async function makeGrant(
  store: Store,
  {
    workspaceId,
    userId,
    client,
    host,
    resource,
    redirectUri,
    challenge,
    clock,
  }: {
    workspaceId: string;
    userId: string;
    client: { readonly id: string; readonly name: string };
    host: string;
    resource: string;
    redirectUri: string;
    challenge: string;
    clock: () => number;
  },
): Promise<string> {
  const nowMs = clock();
  const now = new Date(nowMs).toISOString();
  const code = newToken();
  const id = newId(clock);
  await store.access.transaction().execute(async (db) => {
    await dropEnded(db, nowMs);
    await db
      .insertInto('oauth_grants')
      .values({
        id,
        workspace_id: workspaceId,
        user_id: userId,
        client_id: client.id,
        client_name: client.name,
        host,
        scope: connectorScope,
        resource,
        created_at: now,
        used_at: null,
        expires_at: new Date(nowMs + grantLastsMs).toISOString(),
        revoked_at: null,
        revoked_by: null,
      })
      .execute();
    await db
      .insertInto('oauth_codes')
      .values({
        hash: hashToken(code),
        workspace_id: workspaceId,
        grant_id: id,
        redirect_uri: redirectUri,
        challenge,
        expires_at: new Date(nowMs + codeLastsMs).toISOString(),
        used_at: null,
      })
      .execute();
    await db
      .updateTable('oauth_clients')
      .set({ used_at: now })
      .where('id', '=', client.id)
      .where('kind', '=', 'registered')
      .execute();
    await noteEvent(
      db,
      { userId, clock },
      {
        workspaceId,
        kind: 'connector_made',
        facts: { name: `${client.name} (${host})` },
      },
    );
  });
  await refuseRemoved(store, { id, workspaceId });
  return code;
}

/** Removing a workspace removes its grants, but not one that is stored after that. */
async function refuseRemoved(
  store: Store,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<void> {
  const workspace = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (workspace !== undefined) return;
  await store.access.deleteFrom('oauth_grants').where('id', '=', id).execute();
  await store.access.deleteFrom('oauth_codes').where('grant_id', '=', id).execute();
  throw new Refusal('workspace_removed', {});
}

/** Drops codes and tokens whose time is over, and grants whose code nobody exchanged. */
async function dropEnded(db: Db, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await db.deleteFrom('oauth_codes').where('expires_at', '<=', now).execute();
  await db.deleteFrom('oauth_tokens').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('oauth_grants')
    .where('used_at', 'is', null)
    .where('created_at', '<=', new Date(nowMs - codeLastsMs).toISOString())
    .execute();
}

/** Lists grants whose client has taken a token, the oldest first, including ended ones. */
export async function listGrants(
  db: Db,
  { workspaceId, userId }: { workspaceId?: string | undefined; userId?: string } = {},
): Promise<Grant[]> {
  return db
    .selectFrom('oauth_grants')
    .select(columns)
    .where('used_at', 'is not', null)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Whether a grant still opens its workspace to its client. */
export function isLiveGrant(
  { revoked_at, expires_at }: Pick<Grant, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): boolean {
  return revoked_at === null && nowMs < Date.parse(expires_at);
}

/**
 * Ends a grant, or those of a user, if they are of the given workspace and user, with their tokens.
 * Every server refuses them from the next request on. Returns those that ended.
 */
export async function endGrants(
  db: Db,
  {
    id,
    workspaceId,
    userId,
  }: { id?: string; workspaceId?: string; userId?: string } & ({ id: string } | { userId: string }),
  doing: ChangeAuthor,
): Promise<Grant[]> {
  const revoked_at = new Date(doing.clock()).toISOString();
  const ended = await db
    .updateTable('oauth_grants')
    .set({ revoked_at, revoked_by: doing.userId })
    .where('revoked_at', 'is', null)
    .where(({ and }) =>
      and({
        ...(id !== undefined && { id }),
        ...(workspaceId !== undefined && { workspace_id: workspaceId }),
        ...(userId !== undefined && { user_id: userId }),
      }),
    )
    .returning(columns)
    .execute();
  for (const grant of ended) {
    await db.deleteFrom('oauth_codes').where('grant_id', '=', grant.id).execute();
    await db.deleteFrom('oauth_tokens').where('grant_id', '=', grant.id).execute();
    await noteEvent(db, doing, {
      workspaceId: grant.workspace_id,
      kind: 'connector_ended',
      facts: { name: `${grant.client_name} (${grant.host})` },
    });
  }
  return ended;
}
