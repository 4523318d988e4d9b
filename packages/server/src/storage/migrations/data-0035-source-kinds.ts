import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The kinds of sites that people have set. */
export const sourceKinds: Migration = {
  name: 'source kinds',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await sql`create table source_kinds (
      workspace_id ${text} not null, site ${text} not null, kind ${text} not null,
      constraint source_kinds_key primary key (workspace_id, site))`.execute(db);
  },
};
