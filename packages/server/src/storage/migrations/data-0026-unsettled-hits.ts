import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/**
 * An ingest counts its own hits alone, and leaves those to settle in a table. Days that an older version
 * has marked are counted again from all their hits.
 */
export const unsettledHits: Migration = {
  name: 'unsettled hits',
  up: async (db, dialect) => {
    const { schema } = db;
    const text = sql.raw(columnTypes.text[dialect]);
    const table = schema
      .createTable('unsettled_hits')
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('unsettled_hits_key', ['workspace_id', 'day', 'id']);
    await (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
    await schema
      .alterTable('unsettled_days')
      .addColumn('marks', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update unsettled_days set state = 'written'`.execute(db);
  },
};
