import type { ColumnType } from 'kysely';

/** People, in the keys' file of an embedded database. Tokens are stored as their SHA-256 alone. */
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

/** What a member may do in a workspace; each role may do what the one before may. */
export type Role = 'viewer' | 'editor' | 'admin';

export type Theme = 'system' | 'light' | 'dark';

type StoredBoolean = ColumnType<boolean | 0 | 1, boolean, boolean>;

interface UserTable {
  id: string;
  email: string;
  /** What makes an address unique: lower case, NFKC. */
  email_folded: string;
  name: string;
  /** A PHC string; null until a password is set. */
  password: string | null;
  is_operator: StoredBoolean;
  created_at: string;
  disabled_at: string | null;
  theme: Theme;
  /** Names of the single keys that the person has switched off, separated by blanks. */
  keys_off: string;
}

interface SessionTable {
  id: string;
  hash: string;
  user_id: string;
  created_at: string;
  /** Written at most every five minutes. */
  seen_at: string;
  /** The browser and system in words. */
  browser: string;
  /** Whether its rights rose since its token was made: the next page gives it another one. */
  must_renew: StoredBoolean;
}

/** A browser that has signed in to an account. */
interface DeviceTable {
  hash: string;
  user_id: string;
  created_at: string;
}

/** A one-time link: it sets the installation up, or signs a user in. */
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
  /** Folded; null if anyone with the link may accept. */
  email: string | null;
  created_by: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
  used_by: string | null;
}

/** Shows one page of a workspace to everyone who has its token. */
interface ReportLinkTable {
  id: string;
  workspace_id: string;
  hash: string;
  /** For whom it is. */
  name: string;
  page: string;
  /** The query of the page: its period and filters. */
  view: string;
  /** Whether it shows what engines said, and evidence. */
  has_texts: StoredBoolean;
  created_by: string;
  created_at: string;
  expires_at: string;
  opened: number;
  opened_at: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
}

/** Who did what. `workspace_id` is empty for what concerns the installation. */
interface EventTable {
  workspace_id: string;
  id: string;
  at: string;
  /** The id of the user; null for the command line. */
  user_id: string | null;
  kind: string;
  /** JSON: what it was done to, by names that a person knows. Never a secret. */
  facts: string;
}

/** The last two UTC days on which a person saw a workspace's overview. */
interface VisitTable {
  workspace_id: string;
  user_id: string;
  day: string;
  day_before: string | null;
}
