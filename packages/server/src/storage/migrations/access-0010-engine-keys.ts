import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Keys of engines that an operator has pasted, encrypted, and their last characters. */
export const engineKeys: Migration = {
  name: 'engine keys',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    for (const column of ['key_sealed', 'key_tail']) {
      await schema.alterTable('engines').addColumn(column, text).execute();
    }
  },
};
