import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** Keys and the quota's log. */
export const first: Migration = {
  name: 'first',
  up: createTables,
  distributed: ['quota_log'],
  reference: ['keys'],
};

async function createTables(
  db: Kysely<unknown>,
  { text, times }: ColumnTypes,
  dialect: 'sqlite' | 'postgres',
): Promise<void> {
  await db.schema
    .createTable('keys')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('last_four', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text)
    .addColumn('revoked_at', text)
    .addColumn('last_used_at', text)
    .execute();
  await db.schema
    .createIndex('keys_by_workspace')
    .on('keys')
    .columns(['workspace_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('quota_log')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('log', times, (column) => column.notNull())
    .$call((table) =>
      dialect === 'postgres'
        ? table
            .addColumn('is_admitted', 'boolean', (column) => column.notNull())
            .addColumn('at', 'bigint', (column) => column.notNull())
        : table,
    )
    .addPrimaryKeyConstraint('quota_log_key', ['workspace_id', 'endpoint'])
    .execute();
  if (dialect === 'postgres') await createQuotaFunctions(db);
}

/**
 * Creates the sliding log as functions of only the old log and the new time. In `ON CONFLICT DO
 * UPDATE`, Citus accepts only IMMUTABLE functions, no subquery and no `now()`.
 */
async function createQuotaFunctions(db: Kysely<unknown>): Promise<void> {
  // A request that waited for the row has an older time than the last logged one. Log it at that
  // last time, because moving logged entries back would let them leave the window early.
  await sql`
    create function overheard_quota_at(log bigint[], at bigint, slack_ms bigint)
    returns bigint language sql immutable parallel safe as $$
      select case
        when log[cardinality(log)] between at and at + slack_ms then log[cardinality(log)]
        else at
      end
    $$`.execute(db);
  await sql`
    create function overheard_quota_kept(log bigint[], at bigint, window_ms bigint)
    returns bigint[] language sql immutable parallel safe as $$
      select coalesce(array_agg(least(entry, at) order by place), '{}')
      from unnest(log) with ordinality as entries(entry, place)
      where least(entry, at) > at - window_ms
    $$`.execute(db);
  await sql`
    create function overheard_quota_is_admitted(log bigint[], at bigint, window_ms bigint, quota bigint)
    returns boolean language sql immutable parallel safe as $$
      select cardinality(overheard_quota_kept(log, at, window_ms)) < quota
    $$`.execute(db);
  await sql`
    create function overheard_quota_logged(log bigint[], at bigint, window_ms bigint, quota bigint)
    returns bigint[] language sql immutable parallel safe as $$
      select case when cardinality(kept) < quota then kept || at else kept end
      from (select overheard_quota_kept(log, at, window_ms) as kept) as window_
    $$`.execute(db);
}
