import { table, text } from './table.ts';

/**
 * Sign-in of assistants by OAuth 2.1. Of a code or a token only its SHA-256 is stored. Requests find
 * their rows without knowing a workspace.
 */
export const connectorTables = {
  /** A program that registered itself, so that people may connect it. */
  oauth_clients: table({
    key: ['id'],
    columns: {
      id: text(),
      name: text(),
      /** JSON: the addresses to which people may be sent back. */
      redirects: text(),
      created_at: text(),
      /** When someone last connected it. */
      used_at: text().nullable(),
    },
  }),
  /** A person's permission for a client to read a workspace. The row goes when it ends. */
  oauth_grants: table({
    isReference: true,
    key: ['id'],
    index: {
      oauth_grants_by_workspace: { columns: ['workspace_id', 'created_at'] },
      oauth_grants_by_user: {
        columns: ['user_id', 'workspace_id', 'client_id', 'resource'],
        isUnique: true,
      },
    },
    columns: {
      id: text(),
      workspace_id: text(),
      user_id: text(),
      /** The address of the client's document, or the id of a registered one. */
      client_id: text(),
      client_name: text(),
      /** The host of the client's document, or of the address to which the person was sent back. */
      host: text(),
      /** The address of the tools that the tokens are for. */
      resource: text(),
      created_at: text(),
      /** When the client last took a token, which it does about once an hour while it is in use. */
      used_at: text(),
      expires_at: text(),
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
