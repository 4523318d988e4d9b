import type { ColumnType } from 'kysely';

/**
 * The tables about people, which an embedded database has in the keys' file. Of a token only its
 * SHA-256 is stored.
 */
export interface PeopleTables {
  users: UserTable;
  sessions: SessionTable;
  devices: DeviceTable;
  links: LinkTable;
  members: MemberTable;
  invitations: InvitationTable;
  report_links: ReportLinkTable;
  events: EventTable;
  visits: VisitTable;
}

/** The role of a member in a workspace. Each role includes the rights of the one before. */
export type Role = 'viewer' | 'editor' | 'admin';

export type Theme = 'system' | 'light' | 'dark';

type StoredBoolean = ColumnType<boolean | 0 | 1, boolean, boolean>;

interface UserTable {
  id: string;
  email: string;
  /** The unique form of the address: lower case, NFKC. */
  email_folded: string;
  name: string;
  /** A PHC string; null until a password is set. */
  password: string | null;
  is_operator: StoredBoolean;
  created_at: string;
  disabled_at: string | null;
  theme: Theme;
  /** Empty if keyboard shortcuts work for the person. */
  keys_off: string;
}

interface SessionTable {
  id: string;
  hash: string;
  user_id: string;
  created_at: string;
  /** When the session was last used, written at most every five minutes. */
  seen_at: string;
  /** The names of the browser and its system. */
  browser: string;
  /**
   * Whether the session has gained rights since its token was made. The next page then replaces the
   * token.
   */
  must_renew: StoredBoolean;
}

/** A browser that has signed in to an account. */
interface DeviceTable {
  hash: string;
  user_id: string;
  created_at: string;
}

/** A one-time link that sets the installation up or signs a user in. */
interface LinkTable {
  hash: string;
  /** Null in a set-up link. */
  user_id: string | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

interface MemberTable {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: string;
}

interface InvitationTable {
  id: string;
  hash: string;
  workspace_id: string;
  role: Role;
  /** The folded address; null if anyone with the link may accept. */
  email: string | null;
  created_by: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
  used_by: string | null;
}

/** A link that shows one page of a workspace to everyone who has its token. */
interface ReportLinkTable {
  id: string;
  workspace_id: string;
  hash: string;
  /** The name of the recipient. */
  name: string;
  page: string;
  /** The query of the page with its period and filters. */
  view: string;
  /** Whether the page shows answers and evidence. */
  has_texts: StoredBoolean;
  created_by: string;
  created_at: string;
  expires_at: string;
  opened: number;
  opened_at: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
}

/** An action of a user. `workspace_id` is empty if it concerns the installation. */
interface EventTable {
  workspace_id: string;
  id: string;
  at: string;
  /** The id of the user; null for the command line. */
  user_id: string | null;
  kind: string;
  /** JSON: the objects of the action, by names that a person knows. Never a secret. */
  facts: string;
}

/** The last two UTC days on which a person saw a workspace's overview. */
interface VisitTable {
  workspace_id: string;
  user_id: string;
  day: string;
  day_before: string | null;
}
