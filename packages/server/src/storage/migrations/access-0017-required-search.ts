import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Engines that must search before each answer. */
export const requiredSearch: Migration = {
  name: 'required search',
  up: async ({ schema }, dialect) => {
    const boolean = sql.raw(columnTypes.boolean[dialect]);
    await schema
      .alterTable('engines')
      .addColumn('search_required', boolean, (column) => column.notNull().defaultTo(sql`false`))
      .execute();
  },
};
