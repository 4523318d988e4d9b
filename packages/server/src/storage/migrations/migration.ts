import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';

/** Column types by database. Text compares by code points in both. */
export interface ColumnTypes {
  readonly text: RawBuilder<unknown>;
  /** The type of the quota log's times. */
  readonly times: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
}

export const sqliteTypes: ColumnTypes = {
  text: sql`text`,
  times: sql`blob`,
  bytes: sql`blob`,
};
export const postgresTypes: ColumnTypes = {
  text: sql`text collate "C"`,
  times: sql`bigint[]`,
  bytes: sql`bytea`,
};

/**
 * One migration of the schema. Its place in the list is its version. A released migration never
 * changes.
 */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, types: ColumnTypes, dialect: 'sqlite' | 'postgres'): Promise<void>;
  /** Added tables that Citus distributes by `workspace_id`. */
  readonly distributed: readonly string[];
  /** Added tables that Citus copies to every node. */
  readonly reference: readonly string[];
  /** Added reference tables whose rows belong to no workspace. */
  readonly withoutWorkspace?: readonly string[];
  /** Tables of earlier migrations that it drops. */
  readonly dropped?: readonly string[];
}
