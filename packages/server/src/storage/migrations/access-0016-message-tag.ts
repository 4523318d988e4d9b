import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The tag of the prompts that messages are about. */
export const messageTag: Migration = {
  name: 'tag of messages',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('message_times').addColumn('tag', text).execute();
  },
};
