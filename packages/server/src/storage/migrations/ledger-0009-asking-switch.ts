import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Whether servers ask engines by themselves. */
export const askingSwitch: Migration = {
  name: 'asking switch',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('ledger_home').addColumn('asks_since', text).execute();
  },
};
