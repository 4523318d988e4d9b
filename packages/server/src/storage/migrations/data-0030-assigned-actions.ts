import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Who is to fix an action, and what people have noted about it. */
export const assignedActions: Migration = {
  name: 'assigned actions',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    for (const column of ['assigned_to', 'note']) {
      await schema.alterTable('actions').addColumn(column, text).execute();
    }
  },
};
