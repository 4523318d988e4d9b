import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../schema.ts';

/**
 * Rows of one table in one transaction from which on the planner's figures no longer fit. A batch of
 * a log has fewer: to count after each would take longer than to write it.
 */
const rowsMany = 10_000;

/** As many make another table of one that had no more before: the first batches of a log do. */
const rowsSome = 1000;

/** The tables into which a transaction has written many rows so far, or as many as they had. */
export async function findMuchWritten(transaction: Transaction<DataTables>): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select stat.relname from pg_stat_xact_user_tables stat
    join pg_class on pg_class.oid = stat.relid
    where stat.schemaname = current_schema()
      and n_tup_ins + n_tup_upd >= least(${rowsMany}, greatest(${rowsSome}, pg_class.reltuples))
  `.execute(transaction);
  return rows.map(({ relname }) => relname);
}

/**
 * Has PostgreSQL count tables anew, which takes half a second each whatever their size. It would do
 * so itself, but a minute later: until then it reads a whole workspace to find 200 of its rows.
 * What was written stays written if it fails; a table that another transaction counts is left out,
 * for that one may be an import.
 */
export async function analyze(db: Kysely<DataTables>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await countAnew(db, table).catch(() => {});
  }
}

/**
 * The same transaction, which has PostgreSQL count the tables that it fills while it does: nobody
 * else sees these rows. An import into an empty table would else read all that it has written for
 * each 200 rows that it looks up. They are counted again whenever there are twice as many.
 */
export function plannedByItsRows(transaction: Transaction<DataTables>): Transaction<DataTables> {
  let written = 0n;
  let next = BigInt(rowsMany);
  return transaction.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      written += result.numAffectedRows ?? 0n;
      if (written >= next) {
        next = written * 2n;
        await analyzeWithin(transaction);
      }
      return result;
    },
  });
}

/** Without the savepoint a failure would be the whole transaction's. */
async function analyzeWithin(transaction: Transaction<DataTables>): Promise<void> {
  const tables = await findMuchWritten(transaction);
  await sql`savepoint before_counting`.execute(transaction);
  try {
    for (const table of tables) await countAnew(transaction, table);
    await sql`release savepoint before_counting`.execute(transaction);
  } catch {
    await sql`rollback to savepoint before_counting`.execute(transaction);
  }
}

async function countAnew(db: Kysely<DataTables>, table: string): Promise<void> {
  await sql`analyze (skip_locked) ${sql.table(table)}`.execute(db);
}
