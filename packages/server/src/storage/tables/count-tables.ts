import type { HitRow } from '@overheard/contract';
import { bigint, bytes, integer, table, text } from './table.ts';

/** Counts of hits by verdict, and by class of status if the status is known. */
export const hitCounts = [
  'verified',
  'spoofed',
  'unverified',
  'ok',
  'redirected',
  'refused',
  'failed',
] as const;

export type HitCount = (typeof hitCounts)[number];

/** Makes a value for each count of hits. */
export function mapHitCounts<Value>(of: (name: HitCount) => Value): Record<HitCount, Value> {
  return {
    verified: of('verified'),
    spoofed: of('spoofed'),
    unverified: of('unverified'),
    ok: of('ok'),
    redirected: of('redirected'),
    refused: of('refused'),
    failed: of('failed'),
  };
}

/**
 * More counts of a bot's day. The first four are of verified hits: refused, by a rate limit (429) or a
 * demand to pay (402), and server errors. `proxied` hits have the address of a proxy.
 */
export const botDayCounts = ['genuine_refused', 'limited', 'charged', 'broken', 'proxied'] as const;

export type BotDayCount = (typeof botDayCounts)[number];

/**
 * Counts that reports read instead of detections, answers and hits. The keys contain hashes, because
 * PostgreSQL's indexes accept no text of 3,000 bytes.
 */
export const countTables = {
  /** The version of the rules by which a workspace's counts were made. */
  rollup_states: table({
    key: ['workspace_id'],
    columns: { workspace_id: text(), version: integer() },
  }),
  /** A set of subjects that runs were judged by. */
  subject_sets: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      /** JSON: `[[subject id, hash of its words]]`. */
      subjects: text(),
    },
  }),
  /** Counted runs of one day, engine, cohort and set of subjects. */
  run_counts: table({
    key: ['workspace_id', 'date', 'engine', 'cohort', 'judged_by'],
    columns: {
      workspace_id: text(),
      date: text(),
      engine: text(),
      cohort: text().default("''"),
      judged_by: text().default("''"),
      /** Counts of each prompt and its cited subjects. See `counts/packed-counts.ts`. */
      counts: bytes().default("''"),
    },
  }),
  /**
   * The sites and pages that the runs of one day and engine cite, as JSON. The longest columns are
   * last, because SQLite reads the columns of a row in their order.
   */
  source_counts: table({
    key: ['workspace_id', 'date', 'engine'],
    columns: {
      workspace_id: text(),
      date: text(),
      engine: text(),
      /** Counted runs with their sites, cited competitors, prompts and pages. See `PackedRuns`. */
      runs: text().default("''"),
      /** Pages linked by answers that cite the brand by a link, also by those to branded prompts. */
      linked: text().default("''"),
      sites: text().default("''"),
      competitors: text().default("''"),
      prompts: text().default("''"),
      pages: text().default("''"),
    },
  }),
  /** Hits of one bot on one host and day. */
  hit_days: table({
    key: ['workspace_id', 'date', 'host_hash', 'bot_hash'],
    sqlite: { isClustered: true },
    columns: {
      workspace_id: text(),
      date: text(),
      host_hash: text(),
      bot_hash: text(),
      /** Empty if the log names none. */
      host: text(),
      bot_name: text(),
      bot_company: text(),
      category: text<HitRow['category']>(),
      first_at: text(),
      last_at: text(),
      ...mapHitCounts(bigint),
      /** When the last verified hit was. */
      verified_at: text().nullable(),
      genuine_refused: bigint().default('0'),
      limited: bigint().default('0'),
      charged: bigint().default('0'),
      broken: bigint().default('0'),
      proxied: bigint().default('0'),
      /** When the last verified hit was that got the page. */
      read_at: text().nullable(),
    },
  }),
  /** Hits of one page by all bots on all days. The page's days and bots are counted from the hits. */
  hit_pages: table({
    key: ['workspace_id', 'page_hash'],
    sqlite: { isClustered: true },
    columns: {
      workspace_id: text(),
      page_hash: text(),
      host: text(),
      path: text(),
      first_at: text(),
      last_at: text(),
      ...mapHitCounts(bigint),
      verified_at: text().nullable(),
    },
  }),
} as const;
