import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';

/** Column types by database. Text compares by code points in both. */
export interface ColumnTypes {
  readonly text: RawBuilder<unknown>;
  /** The quota's log of times. */
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

/** One step of the schema. Its place in the list is its version; a step that has shipped never changes. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, types: ColumnTypes, dialect: 'sqlite' | 'postgres'): Promise<void>;
  /** Tables that it adds and that Citus spreads by `workspace_id`. */
  readonly distributed: readonly string[];
  /** Tables that it adds and that Citus copies to every node. */
  readonly reference: readonly string[];
  /** Those of them whose rows belong to no workspace. */
  readonly withoutWorkspace?: readonly string[];
  /** Tables of earlier steps that it drops. */
  readonly dropped?: readonly string[];
}
