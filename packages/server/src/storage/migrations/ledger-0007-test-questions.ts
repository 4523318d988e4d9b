import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The open questions of `engine test`, whose money would stay held if their process died. */
export const testQuestions: Migration = {
  name: 'test questions',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema
      .createTable('test_questions')
      .addColumn('token', text, (column) => column.notNull())
      .addColumn('engine', text, (column) => column.notNull())
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('bound_micros', 'double precision', (column) => column.notNull())
      .addColumn('lease_until', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('test_questions_key', ['token'])
      .execute();
  },
};
