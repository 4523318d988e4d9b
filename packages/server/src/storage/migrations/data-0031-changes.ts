import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The days of stored rows, for clients that follow changes: as if all had just been written. */
export const changeFeed: Migration = {
  name: 'changes',
  up: async (db, dialect) => {
    const { schema } = db;
    const text = sql.raw(columnTypes.text[dialect]);
    await schema
      .createTable('change_days')
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('date', text, (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('change_days_key', ['workspace_id', 'kind', 'date'])
      .execute();
    await schema
      .createIndex('change_days_by_number')
      .on('change_days')
      .columns(['workspace_id', 'number', 'kind', 'date'])
      .execute();
    await schema
      .createTable('change_numbers')
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('token', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('change_numbers_key', ['workspace_id', 'number'])
      .execute();
    for (const [kind, table, moment] of stored) {
      await sql`
        insert into change_days (workspace_id, kind, date, number)
        select distinct workspace_id, ${sql.lit(kind)}, substr(${sql.ref(moment)}, 1, 10), 1
        from ${sql.table(table)}`.execute(db);
    }
    const token = randomBytes(12).toString('base64url');
    await sql`
      insert into change_numbers (workspace_id, number, token)
      select distinct workspace_id, 1, ${sql.lit(token)} from change_days`.execute(db);
  },
};

const stored = [
  ['answers', 'runs', 'run_at'],
  ['detections', 'runs', 'run_at'],
  ['scores', 'scores', 'date'],
  ['hits', 'hits', 'hit_at'],
] as const;
