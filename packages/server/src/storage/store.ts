import type { Kysely } from 'kysely';
import type { AccessTables, DataTables } from './schema.ts';

/** What a key opens. Moments as in the schema. */
export interface KeyRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface AdmissionRequest {
  readonly workspaceId: string;
  /** The endpoint's short name. */
  readonly endpoint: string;
  /** Requests allowed in the window; 0 lifts the quota. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The state of a workspace's quota of one endpoint after a request. */
export interface QuotaState {
  readonly isAdmitted: boolean;
  readonly left: number;
  /** Seconds until more is available: 1 to the window's length. */
  readonly resetSeconds: number;
}

export interface Admission {
  /** The revision of the workspace's data. */
  readonly revision: string;
  /** Undefined where the quota is lifted, or where it could not be written. */
  readonly quota: QuotaState | undefined;
  /** Why the quota could not be written: the request is admitted all the same. */
  readonly quotaFailure: unknown;
}

/** A view of the data that does not change while it is read. */
export interface Snapshot {
  readonly db: Kysely<DataTables>;
  release(): Promise<void>;
}

export interface SnapshotOptions {
  readonly workspaceId: string;
  readonly isBrief?: boolean;
}

/**
 * An open database. SQLite and PostgreSQL are its two implementations; whatever differs between
 * them is behind it, and every query beside it is written once.
 * Where the database cannot be reached its methods throw `UnavailableError`; so does `mapFailure`
 * for queries through the handles.
 */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** For the API's reads: refuses to write. */
  readonly reader: Kysely<DataTables>;
  /** For writes of workspaces' data. On SQLite a transaction begins as the one writer. */
  readonly writer: Kysely<DataTables>;
  /** For keys. Never waits for a transaction of `writer`; durable when a statement returns. */
  readonly access: Kysely<AccessTables>;
  /** The key whose SHA-256 is given, in hexadecimal. */
  findKey(hash: string): Promise<KeyRecord | undefined>;
  /** Notes when a key was last used. Not synced; never waits long. */
  touchKey(keyId: string, usedAt: string): Promise<void>;
  /** Counts a request against the quota and reads the revision. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Whether the database answers. Throws where it does not. */
  ping(): Promise<void>;
  /**
   * Opens a snapshot. Those for long reads are few, and one workspace may hold only some of them:
   * they last as long as their client reads. A brief one is released within the request.
   */
  snapshot(options: SnapshotOptions): Promise<Snapshot>;
  /** Turns a driver's error into `UnavailableError` where it is one of reach, load or space. */
  mapFailure(error: unknown): unknown;
  close(): Promise<void>;
}
