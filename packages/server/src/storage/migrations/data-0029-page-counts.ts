import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

const texts = ['workspace_id', 'page_hash', 'host', 'path', 'first_at', 'last_at'];
const counts = ['verified', 'spoofed', 'unverified', 'ok', 'redirected', 'refused', 'failed'];

/**
 * `hit_pages` has a row for each page instead of one for each page, day and bot, and replaces the totals.
 * `fillCounts` fills it.
 */
export const pageCounts: Migration = {
  name: 'page counts',
  up: async (db, dialect) => {
    await db.schema.dropTable('hit_page_totals').execute();
    await db.schema.dropTable('hit_pages').execute();
    const text = columnTypes.text[dialect];
    const columns = [
      ...texts.map((name) => `${name} ${text} not null`),
      ...counts.map((name) => `${name} ${columnTypes.bigint[dialect]} not null`),
      `verified_at ${text}`,
      'constraint hit_pages_key primary key (workspace_id, page_hash)',
    ];
    const end = dialect === 'sqlite' ? ' without rowid' : '';
    await sql.raw(`create table hit_pages (${columns.join(', ')})${end}`).execute(db);
  },
};
