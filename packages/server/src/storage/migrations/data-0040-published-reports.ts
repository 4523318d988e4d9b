import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Reports as they were published, and whether each month is. */
export const publishedReports: Migration = {
  name: 'published reports',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await db.schema.alterTable('workspaces').addColumn('published_until', text).execute();
    await sql`create table published_reports (
      workspace_id ${text} not null, id ${text} not null, published_at ${text} not null,
      sha256 ${text} not null, body ${text} not null,
      constraint published_reports_key primary key (workspace_id, id))`.execute(db);
  },
};
