import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../schema.ts';

/** Rows of one table in one transaction past which the planner's figures no longer fit. */
const rowsMany = 10_000;

/** The tables into which a transaction has written many rows so far. */
export async function findMuchWritten(transaction: Transaction<DataTables>): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_xact_user_tables
    where schemaname = current_schema() and n_tup_ins + n_tup_upd > ${rowsMany}
  `.execute(transaction);
  return rows.map(({ relname }) => relname);
}

/**
 * Has PostgreSQL count tables anew, which takes half a second each whatever their size. It would do
 * so itself, but a minute later: until then it reads a whole workspace to find 200 of its rows.
 * What was written stays written if it fails.
 */
export async function analyze(db: Kysely<DataTables>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`analyze ${sql.table(table)}`.execute(db).catch(() => {});
  }
}
