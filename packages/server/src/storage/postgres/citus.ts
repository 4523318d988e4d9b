import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { Refusal, isRefusal } from '../../refusals.ts';
import { placedTables } from '../workspace-tables.ts';
import { mapPostgresFailure } from './failures.ts';

/** Whether the Citus extension is installed in this database. */
async function hasCitus<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const extensions = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  return extensions.rows.length > 0;
}

/** Refuses a database in which the Citus extension is not installed. */
export async function requireCitus<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(await hasCitus(db))) throw new Refusal('citus_missing', {});
}

/** Whether Citus distributes our tables. */
export async function isDistributed<Tables>(db: Kysely<Tables>): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const rows = await sql`
    select 1 from pg_dist_partition where logicalrelid = to_regclass('workspaces')
  `.execute(db);
  return rows.rows.length > 0;
}

/**
 * Copies reference tables to every node, and distributes the others by `workspace_id`. All are in one colocation group, so that no statement for one workspace needs a
 * second shard. Throws a `Refusal` that names the table if Citus refuses one.
 * https://docs.citusdata.com/en/stable/develop/api_udf.html
 */
async function distributeTables<Tables>(
  db: Kysely<Tables>,
  { reference, distributed }: typeof placedTables,
): Promise<void> {
  for (const table of reference) {
    await place(table, sql`select create_reference_table(${table})`);
  }
  for (const table of distributed) {
    const leader = colocationLeader === table ? 'default' : colocationLeader;
    await place(
      table,
      sql`select create_distributed_table(${table}, 'workspace_id', colocate_with => ${leader})`,
    );
  }

  async function place(table: string, statement: RawBuilder<unknown>): Promise<void> {
    try {
      await statement.execute(db);
    } catch (error) {
      const failure = mapPostgresFailure(error);
      throw isRefusal(failure)
        ? failure
        : new Refusal('distribution_failed', { table }, { cause: error });
    }
  }
}

/** The first distributed table. All others are colocated with it. */
const colocationLeader = 'revisions';

/**
 * The tables that stay on the coordinator, where Citus leaves what it is not told to distribute:
 * only migrations read them.
 */
export const localTables: readonly string[] = ['schema_versions'];

/**
 * Makes Citus distribute every table, in one transaction, unless they are distributed already. Then
 * frees what the tables still occupy on the coordinator, where nothing reads it any more, and has
 * every node count its rows for the planner. Returns whether the tables were distributed now.
 */
export async function distribute<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const hasChanged = !(await isDistributed(db));
  if (hasChanged) {
    await db.transaction().execute((transaction) => distributeTables(transaction, placedTables));
  }
  for (const table of [...placedTables.reference, ...placedTables.distributed]) {
    await sql`select truncate_local_data_after_distributing_table(${table})`.execute(db);
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return hasChanged;
}

/** Distributes the tables that a migration has added to a distributed database. */
export async function distributeNewTables<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::regclass::text as name from pg_dist_partition
  `.execute(db);
  const placed = new Set(rows.map(({ name }) => name));
  const isNew = (table: string): boolean => !placed.has(table);
  await distributeTables(db, {
    reference: placedTables.reference.filter(isNew),
    distributed: placedTables.distributed.filter(isNew),
  });
}
