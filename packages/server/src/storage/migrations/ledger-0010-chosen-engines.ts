import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Which engines a workspace is asked on. */
export const chosenEngines: Migration = {
  name: 'chosen engines',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('allowances').addColumn('engines', text).execute();
  },
};
