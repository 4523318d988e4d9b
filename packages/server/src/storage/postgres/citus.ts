import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import {
  accessMigrations,
  dataMigrations,
  ledgerMigrations,
} from '../migrations/all-migrations.ts';
import type { Migration } from '../migrations/migration.ts';

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
 * Copies the reference tables of a migration to every node, and distributes its other tables by
 * `workspace_id`. All are in one colocation group, so that no statement for one workspace needs a
 * second shard. https://docs.citusdata.com/en/stable/develop/api_udf.html
 */
export async function distributeTables<Tables>(
  db: Kysely<Tables>,
  { reference, distributed }: Pick<Migration, 'reference' | 'distributed'>,
): Promise<void> {
  for (const table of reference) {
    await sql`select create_reference_table(${table})`.execute(db);
  }
  for (const table of distributed) {
    const leader = colocationLeader === table ? 'default' : colocationLeader;
    await sql`select create_distributed_table(${table}, 'workspace_id', colocate_with => ${leader})`.execute(
      db,
    );
  }
}

/** The first distributed table. All others are colocated with it. */
const colocationLeader = 'revisions';

/**
 * Makes Citus distribute every table, in one transaction. Does nothing if they are distributed
 * already.
 */
export async function distribute<Tables>(db: Kysely<Tables>): Promise<void> {
  if (await isDistributed(db)) return;
  await db.transaction().execute(async (transaction) => {
    for (const migration of [...dataMigrations, ...accessMigrations, ...ledgerMigrations]) {
      await distributeTables(transaction, migration);
    }
  });
}
