import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** What engines searched for. */
export const answerQueries: Migration = {
  name: 'answer queries',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await sql`alter table answers add column queries ${text}`.execute(db);
  },
};
