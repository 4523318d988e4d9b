import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Where the ledger is, and when it was last restored. */
export const restores: Migration = {
  name: 'restores',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await db.schema
      .createTable('ledger_home')
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('home', text, (column) => column.notNull())
      .addColumn('restored_at', text)
      .addPrimaryKeyConstraint('ledger_home_key', ['id'])
      .execute();
    // A backup of an older version has this mark instead.
    await sql`
      insert into ledger_home (id, home)
      select 'ledger', '[]' from paces where off_reason = 'restored' limit 1
    `.execute(db);
  },
};
