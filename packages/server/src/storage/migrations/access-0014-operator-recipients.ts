import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Recipients that are told what concerns the operator, too. */
export const operatorRecipients: Migration = {
  name: 'operator recipients',
  up: async ({ schema }, dialect) => {
    const boolean = sql.raw(columnTypes.boolean[dialect]);
    await schema
      .alterTable('recipients')
      .addColumn('for_operator', boolean, (column) => column.notNull().defaultTo(sql`false`))
      .execute();
  },
};
