import { boolean, bytes, integer, table, text } from './table.ts';

/** The role of a member in a workspace. Each role includes the rights of the one before. */
export type Role = 'viewer' | 'editor' | 'admin';

export type Theme = 'system' | 'light' | 'dark';

/**
 * The tables about people, which an embedded database has in the keys' file. Of a token only its
 * SHA-256 is stored. Requests find their rows without knowing a workspace.
 */
export const peopleTables = {
  users: table({
    key: ['id'],
    unique: { users_email: ['email_folded'] },
    columns: {
      id: text(),
      email: text(),
      /** The unique form of the address: lower case, NFKC. */
      email_folded: text(),
      name: text(),
      created_at: text(),
      theme: text<Theme>(),
      /** A PHC string; null until a password is set. */
      password: text().nullable(),
      disabled_at: text().nullable(),
      is_operator: boolean(),
      /** Empty if keyboard shortcuts work for the person. */
      keys_off: text().default("''"),
    },
  }),
  sessions: table({
    key: ['id'],
    unique: { sessions_hash: ['hash'] },
    index: { sessions_by_user: { columns: ['user_id'] } },
    columns: {
      id: text(),
      hash: text(),
      user_id: text(),
      created_at: text(),
      /** When the session was last used, written at most every five minutes. */
      seen_at: text(),
      /** The names of the browser and its system. */
      browser: text(),
      /** Whether the session has gained rights since its token was made. The next page then replaces the token. */
      must_renew: boolean(),
    },
  }),
  /** A browser that has signed in to an account. */
  devices: table({
    key: ['hash'],
    columns: { hash: text(), user_id: text(), created_at: text() },
  }),
  /** A one-time link that sets the installation up or signs a user in. */
  links: table({
    key: ['hash'],
    columns: {
      hash: text(),
      created_at: text(),
      expires_at: text(),
      /** Null in a set-up link. */
      user_id: text().nullable(),
      used_at: text().nullable(),
    },
  }),
  members: table({
    isReference: true,
    key: ['workspace_id', 'user_id'],
    columns: { workspace_id: text(), user_id: text(), role: text<Role>(), created_at: text() },
  }),
  invitations: table({
    isReference: true,
    key: ['id'],
    unique: { invitations_hash: ['hash'] },
    columns: {
      id: text(),
      hash: text(),
      workspace_id: text(),
      role: text<Role>(),
      created_by: text(),
      created_at: text(),
      expires_at: text(),
      /** The folded address; null if anyone with the link may accept. */
      email: text().nullable(),
      used_at: text().nullable(),
      used_by: text().nullable(),
    },
  }),
  /** A link that shows one page of a workspace to everyone who has its token. */
  report_links: table({
    isReference: true,
    key: ['id'],
    unique: { report_links_hash: ['hash'] },
    columns: {
      id: text(),
      workspace_id: text(),
      hash: text(),
      /** The name of the recipient. */
      name: text(),
      page: text(),
      /** The query of the page with its period and filters. */
      view: text(),
      created_by: text(),
      created_at: text(),
      expires_at: text(),
      /** Whether the page shows answers and evidence. */
      has_texts: boolean(),
      opened: integer(),
      opened_at: text().nullable(),
      revoked_at: text().nullable(),
      revoked_by: text().nullable(),
    },
  }),
  /** The logo that a workspace's report links show: a PNG of critical chunks. */
  logos: table({
    key: ['workspace_id'],
    columns: { workspace_id: text(), png: bytes() },
  }),
  /** An action of a user. `workspace_id` is empty if it concerns the installation. */
  events: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      at: text(),
      kind: text(),
      /** JSON: the objects of the action, by names that a person knows. Never a secret. */
      facts: text(),
      /** The id of the user; null for the command line. */
      user_id: text().nullable(),
    },
  }),
  /** The last two UTC days on which a person saw a workspace's overview. */
  visits: table({
    isReference: true,
    key: ['workspace_id', 'user_id'],
    columns: {
      workspace_id: text(),
      user_id: text(),
      day: text(),
      day_before: text().nullable(),
    },
  }),
} as const;
