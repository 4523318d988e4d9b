import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** What became of each bot's genuine requests, by day. `fillCounts` fills the columns. */
export const botDayCounts: Migration = {
  name: 'bot day counts',
  up: async ({ schema }, dialect) => {
    for (const name of ['genuine_refused', 'limited', 'charged', 'broken', 'proxied']) {
      await schema
        .alterTable('hit_days')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('hit_days').addColumn('read_at', text).execute();
  },
};
