import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { LedgerTables } from './tables/ledger-tables.ts';
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
  /** Undefined if the quota is lifted, or if it could not be written. */
  readonly quota: QuotaState | undefined;
  /** Why the quota could not be written: the request is admitted anyway. */
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

/** The ledger of paid questions. */
export interface Ledger {
  readonly db: Kysely<LedgerTables>;
  /**
   * Runs `work` in one transaction that never waits for one of workspaces' data. When it resolves it
   * is on the disk. Failures leave as from `Store.mapFailure`.
   */
  write<Result>(work: (transaction: Transaction<LedgerTables>) => Promise<Result>): Promise<Result>;
}

/**
 * Compiles one statement, such as an insert, for any number of rows with the same fields in the same
 * order. Its parameters are their values and nothing else.
 */
export type CompileRows<Row, Returned> = (rows: readonly Row[]) => CompiledQuery<Returned>;

/** Runs a statement for all rows and resolves to the rows that it returns. */
export type RowStatement<Row, Returned> = (rows: readonly Row[]) => Promise<Returned[]>;

/**
 * An open database. SQLite and PostgreSQL are its two implementations; whatever differs between
 * them is behind it, and every query beside it is written once.
 * If the database cannot be reached, its methods throw a `Refusal` (`isUnavailable`). `mapFailure`
 * makes one of a failed query through the handles.
 */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** For the API's reads: refuses to write. */
  readonly reader: Kysely<DataTables>;
  /** For writes of workspaces' data. On SQLite a transaction begins as the one writer. */
  readonly writer: Kysely<DataTables>;
  /** For keys. Never waits for a transaction of `writer`; durable when a statement returns. */
  readonly access: Kysely<AccessTables>;
  /**
   * The ledger; undefined if there is none and this process may not create it. On SQLite it is made
   * when it is needed.
   */
  ledger(options?: { mayCreate?: boolean }): Promise<Ledger | undefined>;
  /** The key whose SHA-256 is given, in hexadecimal. */
  findKey(hash: string): Promise<KeyRecord | undefined>;
  /** Notes when a key was last used. Not synced; never waits long. */
  touchKey(keyId: string, usedAt: string): Promise<void>;
  /** Counts a request against the quota and reads the revision. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /**
   * Runs `work` in one transaction of the writer, which is rolled back if `work` throws. Failures
   * leave as from `mapFailure`.
   */
  write<Result>(work: (transaction: Transaction<DataTables>) => Promise<Result>): Promise<Result>;
  /**
   * Makes a statement that writes many rows in the form that suits the database. Compiling costs more
   * than running: `compile` is called once for each number of rows.
   */
  rowStatement<Row extends object, Returned = unknown>(
    db: Kysely<DataTables>,
    compile: CompileRows<Row, Returned>,
  ): RowStatement<Row, Returned>;
  /** Throws if the database does not respond. */
  ping(): Promise<void>;
  /**
   * Opens a snapshot. Those for long reads are few, and one workspace may hold only some of them:
   * they last as long as their client reads. A brief one is released within the request.
   */
  snapshot(options: SnapshotOptions): Promise<Snapshot>;
  /** Turns a driver's error of reach, load or space into a `Refusal`. */
  mapFailure(error: unknown): unknown;
  close(): Promise<void>;
}
