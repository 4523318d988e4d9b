import { sql } from 'kysely';
import type { CompiledQuery, Kysely, RawBuilder, Transaction } from 'kysely';
import type { Refusal } from '../refusals.ts';
import type { AccessTables, DataTables, LedgerTables } from './schema.ts';

/** A key with its workspace. Moments are as in the schema. */
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
  /** Requests allowed in the window; 0 means no quota. */
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
  /** Undefined if there is no quota, or if it could not be written. */
  readonly quota: QuotaState | undefined;
  /** Why the quota could not be written. The request is admitted anyway. */
  readonly quotaFailure: unknown;
}

/** Connections of a pool, and requests that wait for one. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
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
   * Runs `work` in one transaction that never waits for a transaction of workspaces' data. It is on
   * the disk when the promise resolves. Errors are mapped by `Store.mapFailure`.
   */
  write<Result>(work: (transaction: Transaction<LedgerTables>) => Promise<Result>): Promise<Result>;
  /** Names of the place where the ledger is. A copy that is put elsewhere has none of them. */
  home(): Promise<readonly string[]>;
}

/**
 * Compiles one statement, such as an insert, for any number of rows with the same fields in the
 * same order. Its parameters are only the values of the rows.
 */
export type CompileRows<Row, Returned> = (rows: readonly Row[]) => CompiledQuery<Returned>;

/** Runs a statement for all rows and resolves to the rows that it returns. */
export type RowStatement<Row, Returned> = (rows: readonly Row[]) => Promise<Returned[]>;

/**
 * An open database. SQLite and PostgreSQL are its two implementations, which contain all their
 * differences, so that every other query is written once. If the database cannot be reached, its
 * methods throw a `Refusal` (`isUnavailable`). Queries through the handles throw the driver's
 * error: flows let it through, and the code that runs a flow applies `mapFailure`.
 */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** The file of the installation's secret, beside an embedded database. */
  readonly secretFile: string | undefined;
  /** For reads of the API. Refuses to write. */
  readonly reader: Kysely<DataTables>;
  /**
   * For writes of workspaces' data. On SQLite a transaction takes the write lock when it begins.
   */
  readonly writer: Kysely<DataTables>;
  /**
   * For keys. Never waits for a transaction of `writer`. Data is on the disk when a statement
   * returns.
   */
  readonly access: Kysely<AccessTables>;
  /**
   * The ledger; undefined if there is none and it may not be created. On SQLite the file is created
   * when needed.
   */
  ledger(options?: { mayCreate?: boolean }): Promise<Ledger | undefined>;
  /** Finds the key with this SHA-256, in hexadecimal. */
  findKey(hash: string): Promise<KeyRecord | undefined>;
  /** Notes when a key was last used. Does not sync to disk, and never waits long. */
  touchKey(keyId: string, usedAt: string): Promise<void>;
  /** Counts a request against the quota and reads the revision. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /**
   * Runs `work` in one transaction of the writer, which is rolled back if `work` throws. Errors are
   * mapped by `mapFailure`.
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
  /**
   * The clock by which the ledger tells its days and leases: the database's, so that machines whose
   * own clocks differ agree. `machineClock` is this machine's.
   */
  ledgerClock(machineClock: () => number): Promise<() => number>;
  /** Throws if the database does not respond. */
  ping(): Promise<void>;
  /** The size of the database on the disk. */
  bytes(): Promise<number>;
  /** This store's connections; undefined for an embedded database. */
  readonly connections: (() => ConnectionCounts) | undefined;
  /**
   * Opens a snapshot. The number for long reads is limited, also per workspace, because they last
   * as long as the client reads. A brief snapshot is released within the request.
   */
  snapshot(options: SnapshotOptions): Promise<Snapshot>;
  /** Turns a driver's error about connecting, load or space into a `Refusal`. */
  mapFailure(error: unknown): unknown;
  close(): Promise<void>;
}

/** A step of the upgrade of an embedded database. */
export type UpgradeStep = { readonly backup: string } | { readonly migration: true };

export interface StoreOptions {
  /** Whether an embedded database may be created if there is none. */
  readonly mayCreate?: boolean;
  /** Called with the path of a newly created embedded database. */
  readonly onCreate?: (path: string) => void;
  /** Where an embedded database is backed up before it is migrated. The default is its own folder. */
  readonly upgradeFolder?: string | undefined;
  /** Called before an embedded database is backed up, and before it is migrated. */
  readonly onUpgrade?: (step: UpgradeStep) => void;
  /**
   * Called once if an embedded database is found to be damaged. Nothing is served any more after
   * that.
   */
  readonly onDamage?: (refusal: Refusal) => void;
  /**
   * Whether the store is for a server, which counts requests. An embedded database that cannot be
   * written is then refused.
   */
  readonly isServer?: boolean;
  /**
   * The store's clock, in milliseconds since 1970. Only tests give one, because PostgreSQL uses its
   * own clock.
   */
  readonly clock?: () => number;
  /** Whether the database may be a copy that was cut off, which is otherwise refused. */
  readonly mayBeUnfinished?: boolean;
  /** Most PostgreSQL connections of this process. */
  readonly connectionsMax?: number;
  /** Called with the error of a lost PostgreSQL connection. */
  readonly onLost?: (error: Error) => void;
  /** Its abort ends the opening of a PostgreSQL database, which may wait for a migration. */
  readonly signal?: AbortSignal;
}

/**
 * The current moment on the database's own clock, in stored form. Use it for times that several
 * servers compare, because their own clocks may differ.
 */
export function storeMoment(
  { dialect }: Pick<Store, 'dialect'>,
  { secondsAgo = 0 } = {},
): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql`to_char(now() at time zone 'utc' - make_interval(secs => ${secondsAgo}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${-secondsAgo} || ' seconds')`;
}
