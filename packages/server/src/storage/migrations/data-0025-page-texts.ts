import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The text that an engine's page writes around its answers, as a person has said. */
export const pageTexts: Migration = {
  name: 'page texts',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema
      .createTable('page_texts')
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('engine', text, (column) => column.notNull())
      .addColumn('place', text, (column) => column.notNull())
      .addColumn('text', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('page_texts_key', ['workspace_id', 'id'])
      .execute();
  },
};
