import { sql } from 'kysely';
import type { CreateTableBuilder } from 'kysely';
import type { Migration } from '../migration.ts';

const counts = ['verified', 'spoofed', 'unverified', 'ok', 'redirected', 'refused', 'failed'];

/** Hits of each page over all days, so that a report without a period need not add up every day. */
export const pageTotals: Migration = {
  name: 'page totals',
  up: async (db, { text }, dialect) => {
    const columns = ['workspace_id', 'page_hash', 'host', 'path'];
    let create: CreateTableBuilder<string, string> = db.schema.createTable('hit_page_totals');
    for (const column of columns) create = create.addColumn(column, text, (is) => is.notNull());
    for (const column of counts) create = create.addColumn(column, 'bigint', (is) => is.notNull());
    if (dialect === 'sqlite') create = create.modifyEnd(sql`without rowid`);
    await create
      .addPrimaryKeyConstraint('hit_page_totals_key', ['workspace_id', 'page_hash'])
      .execute();
    const sums = sql.join(counts.map((column) => sql`sum(${sql.ref(column)})`));
    await sql`insert into hit_page_totals select workspace_id, page_hash, min(host), min(path), ${sums}
      from hit_pages group by workspace_id, page_hash`.execute(db);
  },
  distributed: ['hit_page_totals'],
  reference: [],
};
