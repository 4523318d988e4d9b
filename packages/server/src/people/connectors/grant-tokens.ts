import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { hashToken, newToken } from '../tokens.ts';
import { connectorScope } from './address.ts';
import { endGrants } from './grants.ts';

type Db = Kysely<AccessTables>;

const accessLastsMs = 60 * 60_000;
const refreshLastsMs = 30 * dayMs;
/** A client whose response was lost may use its refresh token again for so long. */
const graceMs = 30_000;

/** The beginnings of tokens, by which scanners and our log recognise them. */
export const tokenPrefixes = { access: 'overheard_at_', refresh: 'overheard_rt_' } as const;

/** The response to a client that gets tokens (RFC 6749, 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** What a client sends to get tokens. A `resource` that it leaves out is the grant's. */
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
  const { clientId, resource, clock } = request;
  const row = await liveGrants(db, { resource, clock })
    .innerJoin('oauth_codes', 'oauth_codes.grant_id', 'oauth_grants.id')
    .select([
      'oauth_codes.redirect_uri',
      'oauth_codes.challenge',
      'oauth_codes.used_at as code_used',
    ])
    .where('oauth_codes.hash', '=', hashToken(code))
    .where('oauth_codes.expires_at', '>', new Date(clock()).toISOString())
    .executeTakeFirst();
  if (row === undefined || row.client_id !== clientId) return undefined;
  if (redirectUri !== undefined && redirectUri !== row.redirect_uri) return undefined;
  if (hash('sha256', verifier, 'base64url') !== row.challenge) return undefined;
  return db.transaction().execute(async (transaction) => {
    if (row.code_used !== null) return endStolen(transaction, row.id, clock);
    const { numUpdatedRows } = await transaction
      .updateTable('oauth_codes')
      .set({ used_at: new Date(clock()).toISOString() })
      .where('hash', '=', hashToken(code))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    return issueTokens(transaction, row, clock);
  });
}

/**
 * Exchanges a refresh token for the next pair. Undefined if it has ended or is not this client's. Used
 * again later than 30 s after its first use, it ends the grant: the token is in two hands.
 */
export async function refreshTokens(
  db: Db,
  { token, ...request }: TokenRequest & { token: string },
): Promise<TokenResponse | undefined> {
  const { clientId, clock } = request;
  const row = await liveGrants(db, request)
    .innerJoin('oauth_tokens', 'oauth_tokens.grant_id', 'oauth_grants.id')
    .select('oauth_tokens.replaced_at')
    .where('oauth_tokens.hash', '=', hashToken(token))
    .where('oauth_tokens.kind', '=', 'refresh')
    .where('oauth_tokens.expires_at', '>', new Date(clock()).toISOString())
    .executeTakeFirst();
  if (row === undefined || row.client_id !== clientId) return undefined;
  return db.transaction().execute(async (transaction) => {
    if (row.replaced_at !== null && clock() - Date.parse(row.replaced_at) > graceMs) {
      return endStolen(transaction, row.id, clock);
    }
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

/** The workspace that an access token opens, for the tools at `resource` alone. */
export async function openGrant(
  db: Db,
  token: string,
  { resource, clock }: { resource: string; clock: () => number },
): Promise<{ readonly workspaceId: string } | undefined> {
  const row = await liveGrants(db, { resource, clock })
    .innerJoin('oauth_tokens', 'oauth_tokens.grant_id', 'oauth_grants.id')
    .where('oauth_tokens.hash', '=', hashToken(token))
    .where('oauth_tokens.kind', '=', 'access')
    .where('oauth_tokens.expires_at', '>', new Date(clock()).toISOString())
    .executeTakeFirst();
  return row && { workspaceId: row.workspace_id };
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
  await db
    .transaction()
    .execute((transaction) => endGrants(transaction, { id: row.id }, { userId: null, clock }));
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
    .select(['oauth_grants.id', 'oauth_grants.workspace_id', 'oauth_grants.client_id'])
    .select('oauth_grants.expires_at as grant_ends')
    .where('oauth_grants.resource', '=', resource)
    .where('oauth_grants.revoked_at', 'is', null)
    .where('oauth_grants.expires_at', '>', new Date(clock()).toISOString())
    .where('users.disabled_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('members.user_id', 'is not', null), eb('users.is_operator', '=', true)]),
    );
}

async function issueTokens(
  db: Db,
  { id, workspace_id, grant_ends }: { id: string; workspace_id: string; grant_ends: string },
  clock: () => number,
): Promise<TokenResponse> {
  const nowMs = clock();
  const now = new Date(nowMs).toISOString();
  const endOf = (lastsMs: number) => Math.min(nowMs + lastsMs, Date.parse(grant_ends));
  const tokens = {
    access: { text: tokenPrefixes.access + newToken(), endMs: endOf(accessLastsMs) },
    refresh: { text: tokenPrefixes.refresh + newToken(), endMs: endOf(refreshLastsMs) },
  };
  await db
    .deleteFrom('oauth_tokens')
    .where('grant_id', '=', id)
    .where('expires_at', '<=', now)
    .execute();
  await db.updateTable('oauth_grants').set({ used_at: now }).where('id', '=', id).execute();
  for (const kind of ['access', 'refresh'] as const) {
    const { text, endMs } = tokens[kind];
    await db
      .insertInto('oauth_tokens')
      .values({
        hash: hashToken(text),
        workspace_id,
        grant_id: id,
        kind,
        expires_at: new Date(endMs).toISOString(),
        replaced_at: null,
      })
      .execute();
  }
  return {
    access_token: tokens.access.text,
    token_type: 'Bearer',
    expires_in: Math.floor((tokens.access.endMs - nowMs) / 1000),
    refresh_token: tokens.refresh.text,
    scope: connectorScope,
  };
}

async function endStolen(db: Db, id: string, clock: () => number): Promise<undefined> {
  await endGrants(db, { id }, { userId: null, clock });
  return undefined;
}
