import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * On SQLite the quota's log becomes one row per request, so that a request costs the same whatever
 * the quota is. The bounds of a log are in `quota_log`: places `first` to `next` - 1.
 */
export const quotaTimes: Migration = {
  name: 'quota times',
  up: async (db, _types, dialect) => {
    if (dialect === 'sqlite') await splitLogs(db);
  },
  distributed: [],
  reference: [],
};

interface OldLog {
  readonly workspace_id: string;
  readonly endpoint: string;
  readonly log: Uint8Array;
}

async function splitLogs(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<OldLog>`select workspace_id, endpoint, log from quota_log`.execute(db);
  await sql`drop table quota_log`.execute(db);
  await sql`
    create table quota_log (
      workspace_id text not null,
      endpoint text not null,
      first integer not null,
      next integer not null,
      primary key (workspace_id, endpoint)
    ) without rowid`.execute(db);
  await sql`
    create table quota_times (
      workspace_id text not null,
      endpoint text not null,
      place integer not null,
      at integer not null,
      primary key (workspace_id, endpoint, place)
    ) without rowid`.execute(db);
  // Removing a log also removes its times, as when a workspace is removed or a backup is made.
  await sql`
    create trigger quota_log_removed after delete on quota_log begin
      delete from quota_times where workspace_id = old.workspace_id and endpoint = old.endpoint;
    end`.execute(db);
  for (const row of rows) await copyLog(db, row);
}

async function copyLog(
  db: Kysely<unknown>,
  { workspace_id, endpoint, log }: OldLog,
): Promise<void> {
  const times = new Float64Array(log.slice().buffer);
  await sql`insert into quota_log values (${workspace_id}, ${endpoint}, 0, ${times.length})`.execute(
    db,
  );
  for (const [place, at] of times.entries()) {
    await sql`insert into quota_times values (${workspace_id}, ${endpoint}, ${place}, ${at})`.execute(
      db,
    );
  }
}
