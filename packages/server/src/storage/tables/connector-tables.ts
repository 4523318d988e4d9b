import { table, text } from './table.ts';

/**
 * Sign-in of assistants by OAuth 2.1. Of a code or a token only its SHA-256 is stored. Requests find
 * their rows without knowing a workspace.
 */
export const connectorTables = {
  /** A program that people may connect: one that registered itself, or the copy of its document. */
  oauth_clients: table({
    key: ['id'],
    columns: {
      /** The address of its document, or a UUID. */
      id: text(),
      kind: text<'document' | 'registered'>(),
      name: text(),
      /** JSON: the addresses to which people may be sent back. */
      redirects: text(),
      created_at: text(),
      /** When someone last connected a registered one. */
      used_at: text().nullable(),
    },
  }),
  /** A person's permission for a client to read a workspace. */
  oauth_grants: table({
    isReference: true,
    key: ['id'],
    index: {
      oauth_grants_by_workspace: { columns: ['workspace_id', 'created_at'] },
      oauth_grants_by_user: { columns: ['user_id', 'created_at'] },
    },
    columns: {
      id: text(),
      workspace_id: text(),
      user_id: text(),
      client_id: text(),
      client_name: text(),
      /** The host of the client's document, or of the address to which the person was sent back. */
      host: text(),
      scope: text(),
      /** The address of the tools that the tokens are for. */
      resource: text(),
      created_at: text(),
      /** When the client last took a token; null until it has taken the first. */
      used_at: text().nullable(),
      expires_at: text(),
      revoked_at: text().nullable(),
      /** The user; null if the client or the command line did it. */
      revoked_by: text().nullable(),
    },
  }),
  oauth_codes: table({
    isReference: true,
    key: ['hash'],
    columns: {
      hash: text(),
      /** As in the grant, so that removing a workspace also removes the row. */
      workspace_id: text(),
      grant_id: text(),
      redirect_uri: text(),
      /** The PKCE challenge: SHA-256 of the client's verifier, base64url. */
      challenge: text(),
      expires_at: text(),
      used_at: text().nullable(),
    },
  }),
  oauth_tokens: table({
    isReference: true,
    key: ['hash'],
    index: { oauth_tokens_by_grant: { columns: ['grant_id', 'expires_at'] } },
    columns: {
      hash: text(),
      /** As in the grant, so that removing a workspace also removes the row. */
      workspace_id: text(),
      grant_id: text(),
      kind: text<'access' | 'refresh'>(),
      expires_at: text(),
      /** When a refresh token was exchanged for the next one. */
      replaced_at: text().nullable(),
    },
  }),
} as const;
