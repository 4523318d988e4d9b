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
  });
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
