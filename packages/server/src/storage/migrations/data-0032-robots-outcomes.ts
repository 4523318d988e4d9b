import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** What robots.txt says of a request with its query. Hits of before have none. */
export const robotsOutcomes: Migration = {
  name: 'robots outcomes',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('hits').addColumn('robots_outcomes', text).execute();
  },
};
