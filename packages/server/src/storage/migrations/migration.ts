import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { createStatements } from '../tables/create-statements.ts';
import { columnTypes } from '../tables/table.ts';
import type { Table } from '../tables/table.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * Makes of older tables what is declared now. Its place in the list is its version. A released
 * migration never changes.
 */
export type Migration = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;

/**
 * A migration of SQL statements. `{text}` and `{bytes}` are the types of that name, see `columnTypes`;
 * `{clustered}` ends a table whose rows SQLite stores in the order of the key.
 */
export function statements(...all: readonly string[]): Migration {
  return async (db, dialect) => {
    for (const statement of all) {
      const text = statement
        .replaceAll('{text}', columnTypes.text[dialect])
        .replaceAll('{bytes}', columnTypes.bytes[dialect])
        .replaceAll('{clustered}', dialect === 'sqlite' ? 'without rowid' : '');
      await sql.raw(text).execute(db);
    }
  };
}

/** A part of a database with a version of its own. On SQLite it is a file of its own. */
export interface SchemaPart {
  readonly tables: Readonly<Record<string, Table>>;
  /** The version that the first of the migrations starts from. */
  readonly oldest: number;
  readonly migrations: readonly Migration[];
}

export function latestVersion({ oldest, migrations }: SchemaPart): number {
  return oldest + migrations.length;
}

/** Throws a `Refusal` for a version that this Overheard can neither use nor migrate. */
export function requireVersion(part: SchemaPart, version: number, path?: string): void {
  const known = latestVersion(part);
  if (version > known) throw new Refusal('database_newer', { path, version, known });
  const { oldest } = part;
  if (version < oldest) throw new Refusal('database_older', { path, version, oldest });
}

/** Creates the tables of a part whose version is 0, or migrates older ones. */
export async function migratePart(
  db: Kysely<unknown>,
  part: SchemaPart,
  { version, dialect }: { version: number; dialect: Dialect },
): Promise<void> {
  if (version === 0) {
    for (const statement of createStatements(part.tables, dialect)) {
      await sql.raw(statement).execute(db);
    }
    return;
  }
  for (const migrate of part.migrations.slice(version - part.oldest)) await migrate(db, dialect);
}
