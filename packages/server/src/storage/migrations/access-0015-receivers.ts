import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Addresses to which hosts send the lines of their logs. */
export const receivers: Migration = {
  name: 'receivers',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    const bigint = sql.raw(columnTypes.bigint[dialect]);
    const isKey = sql.raw(dialect === 'sqlite' ? 'primary key' : 'not null primary key');
    const statements = [
      sql`create table receivers (
        id ${text} ${isKey}, workspace_id ${text} not null, host ${text} not null, site ${text},
        format ${text} not null, hash ${text} not null, last_four ${text} not null, secret ${text},
        created_at ${text} not null, created_by ${text}, ended_at ${text}, received_at ${text},
        lines ${bigint} not null, hits ${bigint} not null, skipped ${bigint} not null,
        skipped_at ${text}, skips ${text}, constraint receivers_hash_key unique (hash))`,
      sql`create index receivers_by_workspace on receivers (workspace_id, created_at)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
