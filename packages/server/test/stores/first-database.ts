import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { sqlitePath } from '../../src/storage/open/database-url.ts';
import { databaseFiles } from '../../src/storage/sqlite/files/files.ts';
import type { Dialect } from './stores.ts';

/** Makes a database with the tables of the first schema and a workspace `w`, and runs more SQL on its data. */
export async function restoreFirst(
  url: string,
  dialect: Dialect,
  { version, data = '' }: { version?: number; data?: string } = {},
): Promise<void> {
  const workspace =
    "insert into workspaces (id, slug, name, created_at) values ('w', 'acme', 'Acme', '2026-11-20T00:00:00.000Z')";
  if (dialect === 'postgres') {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`${statementsIn('postgres.sql')}; ${workspace}; ${data}`);
    if (version !== undefined)
      await client.query(`update schema_versions set version = ${version}`);
    return client.end();
  }
  const files = databaseFiles(sqlitePath(url));
  for (const part of ['data', 'access', 'ledger'] as const) {
    const database = new DatabaseSync(files[part]);
    database.exec(statementsIn(`${part}.sqlite.sql`));
    if (part === 'data') database.exec(`${workspace}; ${data}`);
    if (version !== undefined) database.exec(`pragma user_version = ${version}`);
    database.close();
  }
}

function statementsIn(name: string): string {
  const path = new URL(`./first-database/${name}`, import.meta.url);
  return readFileSync(path, 'utf8');
}
