import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** What an answer would cost by the price list, beside the cost that its engine reports. */
export const listedCosts: Migration = {
  name: 'listed costs',
  up: async ({ schema }, dialect) => {
    const number = sql.raw(columnTypes.double[dialect]);
    await schema.alterTable('readings').addColumn('listed_micros', number).execute();
  },
};
