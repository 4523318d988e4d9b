import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { latestVersion, migratePart, requireVersion } from '../migrations/migration.ts';
import type { SchemaPart } from '../migrations/migration.ts';
import { schemaParts } from '../migrations/schema-parts.ts';
import { distributeNewTables, isDistributed } from './citus.ts';

/** The oldest PostgreSQL that is supported, as `server_version_num` has it. */
export const serverVersionMin = 150_000;

/**
 * The number of the migration lock, chosen at random. If several servers start at once, one
 * migrates and the others wait.
 */
const lockNumber = 0x4f564844;

/** Migrates the schema in one transaction. Refuses a version that cannot be migrated. */
export async function migrate(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(transaction);
    await refuseOldServer(transaction);
    await refuseOtherEncoding(transaction);
    await sql`
      create table if not exists schema_versions (part text primary key, version integer not null)
    `.execute(transaction);
    for (const [name, part] of Object.entries(schemaParts)) {
      await migrateNamed(transaction, name, part);
    }
    if (await isDistributed(transaction)) await distributeNewTables(transaction);
    else await planForLargestWorkspace(transaction);
  });
}

/**
 * Makes the planner expect a workspace that it does not see to be the largest one, not one of average
 * size, because statements are planned for an unseen workspace (see `createKyselyDriver`): it would
 * read and sort all runs of a large workspace among small ones to find the latest 200. Plans for the
 * largest suit a small one, too. The setting counts from the next `analyze` on.
 * https://www.postgresql.org/docs/current/sql-altertable.html
 */
async function planForLargestWorkspace(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; hasRows: boolean }>`
    select relname as name, reltuples > 0 as "hasRows"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname = 'workspace_id' and attoptions is null and relkind = 'r'
      and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
  `.execute(db);
  for (const { name, hasRows } of rows) {
    const table = sql.table(name);
    await sql`alter table ${table} alter column workspace_id set (n_distinct = 1)`.execute(db);
    if (hasRows) await sql`analyze ${table}`.execute(db);
  }
}

async function migrateNamed(db: Kysely<unknown>, name: string, part: SchemaPart): Promise<void> {
  const versions = await sql<{ version: number }>`
    select version from schema_versions where part = ${name}
  `.execute(db);
  const version = versions.rows[0]?.version ?? 0;
  if (version > 0) requireVersion(part, version);
  const latest = latestVersion(part);
  if (version === latest) return;
  await migratePart(db, part, { version, dialect: 'postgres' });
  await sql`
    insert into schema_versions (part, version) values (${name}, ${latest})
    on conflict (part) do update set version = excluded.version
  `.execute(db);
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; number: number }>`
    select current_setting('server_version') as name,
      current_setting('server_version_num')::int as number
  `.execute(db);
  const [server] = rows;
  if (server !== undefined) requireServerVersion(server);
}

/** Throws a `Refusal` for a server that is too old. */
export function requireServerVersion({ name, number }: { name: string; number: number }): void {
  if (number < serverVersionMin) throw new Refusal('postgres_too_old', { version: name });
}

/** Text is compared by code points only if it is stored as UTF-8. */
async function refuseOtherEncoding(db: Kysely<unknown>): Promise<void> {
  const encodings = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  requireEncoding(encodings.rows[0]?.server_encoding ?? '');
}

/** Throws a `Refusal` for a database that stores text in another encoding. */
export function requireEncoding(encoding: string): void {
  if (encoding !== 'UTF8') throw new Refusal('postgres_encoding_wrong', { encoding });
}
