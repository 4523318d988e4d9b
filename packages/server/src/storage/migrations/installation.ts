import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * On SQLite the id of an installation, a step of both files: one without the other, or of another
 * installation, is of no use. `sqlite/files/installation.ts` writes it.
 */
export const installation: Migration = {
  name: 'installation',
  up: async (db, _types, dialect) => {
    if (dialect === 'sqlite') await sql`create table installation (id text not null)`.execute(db);
  },
  distributed: [],
  reference: [],
};
