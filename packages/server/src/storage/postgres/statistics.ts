import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../schema.ts';

/**
 * Rows written to one table in one transaction that make the planner's statistics wrong. A batch of
 * a log has fewer, because analyzing after each batch would take longer than writing it.
 */
const rowsMany = 10_000;

/**
 * This many rows are enough if the table had no more rows before, as after the first batches of a
 * log.
 */
const rowsSome = 1000;

/**
 * Runs `work` in one transaction, and runs `analyze` on the tables that it fills: each time their rows
 * have doubled, and once at the end. PostgreSQL's own `analyze` runs a minute later: until then its
 * plans read a whole workspace to find 200 rows.
 */
export async function writeWithStatistics<Result>(
  db: Kysely<DataTables>,
  work: (transaction: Transaction<DataTables>) => Promise<Result>,
): Promise<Result> {
  let tables: readonly string[] = [];
  const result = await db.transaction().execute(async (transaction) => {
    const counted = countWrittenRows(transaction);
    const returned = await work(counted.transaction);
    if (counted.rows() >= rowsSome) tables = await findMuchWritten(transaction);
    return returned;
  });
  // Ignore a failure here, because the rows are committed already.
  for (const table of tables) await analyze(db, table).catch(() => {});
  return result;
}

/**
 * Finds the tables into which a transaction has written many rows, or as many as they had before.
 */
async function findMuchWritten(transaction: Transaction<DataTables>): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select stat.relname from pg_stat_xact_user_tables stat
    join pg_class on pg_class.oid = stat.relid
    where stat.schemaname = current_schema()
      and n_tup_ins + n_tup_upd >= least(${rowsMany}, greatest(${rowsSome}, pg_class.reltuples))
  `.execute(transaction);
  return rows.map(({ relname }) => relname);
}

/**
 * Wraps a transaction so that it counts the rows written and analyzes their tables each time they
 * have doubled.
 */
function countWrittenRows(transaction: Transaction<DataTables>): {
  readonly transaction: Transaction<DataTables>;
  readonly rows: () => bigint;
} {
  let writtenCount = 0n;
  let next = BigInt(rowsMany);
  const counted = transaction.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      writtenCount += result.numAffectedRows ?? 0n;
      if (writtenCount >= next) {
        next = writtenCount * 2n;
        await analyzeWithin(transaction);
      }
      return result;
    },
  });
  return { transaction: counted, rows: () => writtenCount };
}

/** The savepoint keeps a failure from failing the whole transaction. */
async function analyzeWithin(transaction: Transaction<DataTables>): Promise<void> {
  const tables = await findMuchWritten(transaction);
  await sql`savepoint before_counting`.execute(transaction);
  try {
    for (const table of tables) await analyze(transaction, table);
    await sql`release savepoint before_counting`.execute(transaction);
  } catch {
    await sql`rollback to savepoint before_counting`.execute(transaction);
  }
}

/**
 * Analyzes a table, which takes half a second for any size. Skips a table that another import is
 * analyzing.
 */
async function analyze(db: Kysely<DataTables>, table: string): Promise<void> {
  await sql`analyze (skip_locked) ${sql.table(table)}`.execute(db);
}
