import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The logo that a workspace's report links show. */
export const logos: Migration = {
  name: 'logos',
  up: async ({ schema }, dialect) => {
    const [text, bytes] = [columnTypes.text[dialect], columnTypes.bytes[dialect]];
    await schema
      .createTable('logos')
      .addColumn('workspace_id', sql.raw(text), (column) => column.notNull())
      .addColumn('png', sql.raw(bytes), (column) => column.notNull())
      .addPrimaryKeyConstraint('logos_key', ['workspace_id'])
      .execute();
  },
};
