import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * The id of an installation, in both SQLite files, because a file is useless with one of another
 * installation. `sqlite/files/join-files.ts` writes the id.
 */
export const installation: Migration = {
  name: 'installation',
  up: async (db, _types, dialect) => {
    if (dialect === 'sqlite') await sql`create table installation (id text not null)`.execute(db);
  },
  distributed: [],
  reference: [],
};
