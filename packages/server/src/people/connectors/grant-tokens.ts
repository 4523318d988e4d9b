import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { hashToken, newToken } from '../tokens.ts';
import { connectorScope } from './address.ts';
import { endGrants, noteGrant } from './grants.ts';
import type { Grant } from './grants.ts';

type Db = Kysely<AccessTables>;

const accessLastsMs = 60 * 60_000;
const refreshLastsMs = 30 * dayMs;
/** A client whose response was lost may use its refresh token again for so long. */
const graceMs = 30_000;

/** The beginnings of tokens, by which scanners and our log recognise them. */
export const tokenPrefixes = { access: 'overheard_at_', refresh: 'overheard_rt_' } as const;

type TokenResponse = Awaited<ReturnType<typeof issueTokens>>;

/** What a client sends to get tokens. */
interface TokenRequest {
  readonly clientId: string;
  readonly resource: string;
  readonly clock: () => number;
}

/**
 * Exchanges a code for tokens, once. Undefined if the code has ended or is not this client's, or the
 * verifier isn't the one of its challenge. A second use ends the grant: the code is in two hands.
 */
export async function exchangeCode(
  db: Db,
  {
    code,
    verifier,
    redirectUri,
    ...request
  }: TokenRequest & { code: string; verifier: string; redirectUri: string | undefined },
): Promise<TokenResponse | undefined> {
  const { clock } = request;
  const row = await liveGrants(db, request)
    .innerJoin('oauth_codes', 'oauth_codes.grant_id', 'oauth_grants.id')
    .select(['oauth_codes.redirect_uri', 'oauth_codes.challenge'])
    .select('oauth_codes.used_at as code_used')
    .where('oauth_codes.hash', '=', hashToken(code))
    .where('oauth_codes.expires_at', '>', new Date(clock()).toISOString())
    .where('oauth_grants.client_id', '=', request.clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (redirectUri !== undefined && redirectUri !== row.redirect_uri) return undefined;
  if (hash('sha256', verifier, 'base64url') !== row.challenge) return undefined;
  return db.transaction().execute(async (transaction) => {
    if (row.code_used !== null) return endStolen(transaction, row, clock);
    const { numUpdatedRows } = await transaction
      .updateTable('oauth_codes')
      .set({ used_at: new Date(clock()).toISOString() })
      .where('hash', '=', hashToken(code))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    await noteGrant(transaction, row, { userId: row.user_id, clock }, 'connector_made');
    return issueTokens(transaction, row, clock);
  });
}

/**
 * Exchanges a refresh token for the next pair. Undefined if it has ended or is not this client's. Used
 * again later than 30 s after its first use, it ends the grant: the token is in two hands. Returns the
 * seconds to wait, and leaves the token as it is, if the grant has got too many pairs.
 */
export async function refreshTokens(
  db: Db,
  {
    token,
    notePair,
    ...request
  }: TokenRequest & {
    token: string;
    /** Counts a pair for a grant. Returns the seconds to wait if there were too many. */
    notePair: (grantId: string) => number | undefined;
  },
): Promise<TokenResponse | number | undefined> {
  const { clock } = request;
  const row = await grantsOfToken(db, { ...request, token, kind: 'refresh' })
    .select('oauth_tokens.replaced_at')
    .where('oauth_grants.client_id', '=', request.clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return db.transaction().execute(async (transaction) => {
    if (row.replaced_at !== null && clock() - Date.parse(row.replaced_at) > graceMs) {
      return endStolen(transaction, row, clock);
    }
    const seconds = notePair(row.id);
    if (seconds !== undefined) return seconds;
    // Several uses at once count from the first one.
    await transaction
      .updateTable('oauth_tokens')
      .set({ replaced_at: new Date(clock()).toISOString() })
      .where('hash', '=', hashToken(token))
      .where('replaced_at', 'is', null)
      .execute();
    return issueTokens(transaction, row, clock);
  });
}

/** The workspace that an access token opens, for the tools at `resource` alone, and its client. */
export async function openGrant(
  db: Db,
  token: string,
  { resource, clock }: { resource: string; clock: () => number },
): Promise<{ readonly workspaceId: string; readonly clientId: string } | undefined> {
  const row = await grantsOfToken(db, {
    token,
    kind: 'access',
    resource,
    clock,
  }).executeTakeFirst();
  return row && { workspaceId: row.workspace_id, clientId: row.client_id };
}

/**
 * Ends the grant of a token at its client's wish (RFC 7009). An unknown token is fine; false if the
 * token is another client's.
 */
export async function revokeToken(
  db: Db,
  { token, clientId, clock }: { token: string; clientId: string | undefined; clock: () => number },
): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .select(['oauth_grants.id', 'oauth_grants.client_id'])
    .where('oauth_tokens.hash', '=', hashToken(token))
    .executeTakeFirst();
  if (row === undefined) return true;
  if (clientId !== undefined && clientId !== row.client_id) return false;
  const doing = { userId: null, clock };
  await db
    .transaction()
    .execute((transaction) => endGrants(transaction, { id: row.id }, doing, 'connector_left'));
  return true;
}

/**
 * Grants for the tools at an address that have not ended, of users who are enabled and still members
 * of the workspace. Checked at every request.
 */
function liveGrants(db: Db, { resource, clock }: { resource: string; clock: () => number }) {
  return db
    .selectFrom('oauth_grants')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'oauth_grants.workspace_id')
        .onRef('members.user_id', '=', 'oauth_grants.user_id'),
    )
    .selectAll('oauth_grants')
    .where('oauth_grants.resource', '=', resource)
    .where('oauth_grants.expires_at', '>', new Date(clock()).toISOString())
    .where('users.disabled_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('members.user_id', 'is not', null), eb('users.is_operator', '=', true)]),
    );
}

/** The live grant of a token that has not ended. */
function grantsOfToken(
  db: Db,
  {
    token,
    kind,
    ...at
  }: { token: string; kind: 'access' | 'refresh'; resource: string; clock: () => number },
) {
  return liveGrants(db, at)
    .innerJoin('oauth_tokens', 'oauth_tokens.grant_id', 'oauth_grants.id')
    .where('oauth_tokens.hash', '=', hashToken(token))
    .where('oauth_tokens.kind', '=', kind)
    .where('oauth_tokens.expires_at', '>', new Date(at.clock()).toISOString());
}

/** Stores a pair of tokens; the response to the client (RFC 6749, 5.1). */
async function issueTokens(db: Db, grant: Grant, clock: () => number) {
  const nowMs = clock();
  const now = new Date(nowMs).toISOString();
  const { id: grant_id, workspace_id } = grant;
  const token = (kind: 'access' | 'refresh', lastsMs: number) => {
    const text = tokenPrefixes[kind] + newToken();
    const endMs = Math.min(nowMs + lastsMs, Date.parse(grant.expires_at));
    const expires_at = new Date(endMs).toISOString();
    const row = { hash: hashToken(text), workspace_id, grant_id, kind, expires_at };
    return { text, endMs, row: { ...row, replaced_at: null } };
  };
  const [access, refresh] = [token('access', accessLastsMs), token('refresh', refreshLastsMs)];
  await db
    .deleteFrom('oauth_tokens')
    .where('grant_id', '=', grant_id)
    .where('expires_at', '<=', now)
    .execute();
  await db.updateTable('oauth_grants').set({ used_at: now }).where('id', '=', grant_id).execute();
  await db.insertInto('oauth_tokens').values([access.row, refresh.row]).execute();
  return {
    access_token: access.text,
    token_type: 'Bearer',
    expires_in: Math.floor((access.endMs - nowMs) / 1000),
    refresh_token: refresh.text,
    scope: connectorScope,
  };
}

async function endStolen(db: Db, { id }: Grant, clock: () => number): Promise<undefined> {
  await endGrants(db, { id }, { userId: null, clock }, 'connector_stolen');
  return undefined;
}
