import { bigint, bigints, boolean, integer, table, text } from './table.ts';

/** Where the lines of a receiver come from. */
export type ReceiverHost = 'cloudflare' | 'vercel' | 'netlify' | 'fastly' | 'cloudfront' | 'other';

/** API keys and their quotas, and receivers of log lines. */
export const keyTables = {
  keys: table({
    isReference: true,
    unique: { keys_hash_key: ['hash'] },
    index: { keys_by_workspace: { columns: ['workspace_id', 'created_at'] } },
    columns: {
      id: text().primary(),
      workspace_id: text(),
      name: text(),
      /** SHA-256 of the whole key, 64 hexadecimal digits. */
      hash: text(),
      last_four: text(),
      created_at: text(),
      expires_at: text().nullable(),
      revoked_at: text().nullable(),
      last_used_at: text().nullable(),
      /** Users; null if the command line did it. */
      created_by: text().nullable(),
      revoked_by: text().nullable(),
      /** The key that replaces this one. */
      replaced_by: text().nullable(),
    },
  }),
  /** Addresses to which hosts send the lines of their logs. */
  receivers: table({
    isReference: true,
    unique: { receivers_hash_key: ['hash'] },
    index: { receivers_by_workspace: { columns: ['workspace_id', 'created_at'] } },
    columns: {
      id: text().primary(),
      workspace_id: text(),
      host: text<ReceiverHost>(),
      /** The site of lines that do not name theirs. */
      site: text().nullable(),
      /** The format of the lines, as `hits ingest --format` takes it. */
      format: text(),
      /** SHA-256 of the token, 64 hexadecimal digits. */
      hash: text(),
      last_four: text(),
      /** What else proves a request: Vercel signs with it, Firehose sends it. */
      secret: text().nullable(),
      created_at: text(),
      /** The user; null if the command line did it. */
      created_by: text().nullable(),
      ended_at: text().nullable(),
      /** When the last lines came of those that have been read. */
      received_at: text().nullable(),
      /** Counts of lines, new hits and skipped lines. */
      lines: bigint(),
      hits: bigint(),
      skipped: bigint(),
      /** When lines were last skipped, and how many for each reason then, as JSON. */
      skipped_at: text().nullable(),
      skips: text().nullable(),
    },
  }),
  /**
   * The requests that counted in the last hour, by workspace and endpoint. PostgreSQL has their times
   * in the row, SQLite in `quota_times` at the places `first` to `next` - 1.
   */
  quota_log: table({
    key: ['workspace_id', 'endpoint'],
    columns: { workspace_id: text(), endpoint: text() },
    sqlite: {
      columns: { first: integer(), next: integer() },
      isClustered: true,
      // Removing a log also removes its times, as when a workspace is removed or a backup is made.
      statements: [
        `create trigger quota_log_removed after delete on quota_log begin
          delete from quota_times where workspace_id = old.workspace_id and endpoint = old.endpoint;
        end`,
      ],
    },
    postgres: {
      columns: { log: bigints(), is_admitted: boolean(), at: bigint() },
      // The sliding log as functions of only the old log and the new time. In `ON CONFLICT DO UPDATE`,
      // Citus accepts only IMMUTABLE functions, no subquery and no `now()`.
      statements: [
        // A request that waited for the row has an older time than the last logged one. Log it at that
        // last time, because moving logged entries back would let them leave the window early.
        `create function overheard_quota_at(log bigint[], at bigint, slack_ms bigint)
        returns bigint language sql immutable parallel safe as $$
          select case
            when log[cardinality(log)] between at and at + slack_ms then log[cardinality(log)]
            else at
          end
        $$`,
        `create function overheard_quota_kept(log bigint[], at bigint, window_ms bigint)
        returns bigint[] language sql immutable parallel safe as $$
          select coalesce(array_agg(least(entry, at) order by place), '{}')
          from unnest(log) with ordinality as entries(entry, place)
          where least(entry, at) > at - window_ms
        $$`,
        `create function overheard_quota_is_admitted(log bigint[], at bigint, window_ms bigint, quota bigint)
        returns boolean language sql immutable parallel safe as $$
          select cardinality(overheard_quota_kept(log, at, window_ms)) < quota
        $$`,
        `create function overheard_quota_logged(log bigint[], at bigint, window_ms bigint, quota bigint)
        returns bigint[] language sql immutable parallel safe as $$
          select case when cardinality(kept) < quota then kept || at else kept end
          from (select overheard_quota_kept(log, at, window_ms) as kept) as window_
        $$`,
      ],
    },
  }),
  quota_times: table({
    only: 'sqlite',
    key: ['workspace_id', 'endpoint', 'place'],
    sqlite: { isClustered: true },
    columns: { workspace_id: text(), endpoint: text(), place: integer(), at: integer() },
  }),
} as const;
