import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** A workspace's own sites besides its brand's domains. */
export const ownSites: Migration = {
  name: 'own sites',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema
      .createTable('own_sites')
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('domain', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('own_sites_key', ['workspace_id', 'domain'])
      .execute();
  },
};
