import type { HitRow } from '@overheard/contract';
import { importMarks } from './import-tables.ts';
import { bigint, bytes, integer, table, text } from './table.ts';

/** Why a hit that a list or a host name refutes is not shown as spoofed. */
export type OverruledBy = 'site_unproven' | 'proof_pending' | 'visitor_address';

/** Hits, the evidence for their verdicts, and how far logs were read. */
export const crawlerTables = {
  /** On imported rows the columns from `host` to `evidence` are null. */
  hits: table({
    key: ['workspace_id', 'id'],
    index: {
      // Without the id: few hits share a moment, so that both databases sort those few.
      hits_by_time: { columns: ['workspace_id', 'hit_at'] },
      // The hits that got no page are few among many.
      hits_unread: { columns: ['workspace_id', 'hit_at'], where: 'status >= 400' },
    },
    columns: {
      workspace_id: text(),
      id: text(),
      bot_name: text(),
      bot_company: text(),
      category: text<HitRow['category']>(),
      path: text(),
      method: text(),
      status: integer().nullable(),
      verification: text<HitRow['verification']>(),
      hit_at: text(),
      host: text().nullable(),
      /** The client's address, until it is removed. */
      address: text().nullable(),
      user_agent: text().nullable(),
      /** JSON: the headers that a verdict may depend on, if the log has them. */
      signature: text().nullable(),
      /** JSON: what the hit's own verdict rests on. */
      evidence: text().nullable(),
      ...importMarks,
      /** Why the site's hits and visitors overrule the hit's own verdict. */
      overruled_by: text<OverruledBy>().nullable(),
      /** A keyed hash of the address's network; null if the visitors of its day are unknown. */
      network: text().nullable(),
      /** What versions of robots.txt say of the request with its query, where that decides. */
      robots_outcomes: text().nullable(),
    },
  }),
  crawler_settings: table({
    columns: {
      workspace_id: text().primary(),
      /** The secret of the keyed hashes that are the ids of hits: 64 hexadecimal digits. */
      secret: text(),
      keep_addresses_days: integer(),
      /** Since when addresses are kept because the list that is needed to judge them is missing. */
      waiting_since: text().nullable(),
    },
  }),
  /** How far a log file has been read under the same options. */
  log_files: table({
    key: ['workspace_id', 'file_key', 'options_key'],
    columns: {
      workspace_id: text(),
      /** Device and inode. */
      file_key: text(),
      options_key: text(),
      path: text(),
      read_bytes: bigint(),
      /** `LENGTH:HMAC` of the last bytes before `read_bytes`. */
      fingerprint: text(),
      /** The `#Fields` line that applies at `read_bytes`. */
      directive: text().nullable(),
      updated_at: text(),
    },
  }),
  workspace_bots: table({
    key: ['workspace_id', 'folded'],
    columns: {
      workspace_id: text(),
      folded: text(),
      /** JSON: a row as in the catalogue. */
      bot: text(),
    },
  }),
  /** A domain of the workspace's own, besides its brand's. */
  own_sites: table({
    key: ['workspace_id', 'domain'],
    columns: { workspace_id: text(), domain: text() },
  }),
  /** The robots.txt of a host as it was at one moment. */
  robots_files: table({
    key: ['workspace_id', 'host', 'from_at'],
    columns: {
      workspace_id: text(),
      host: text(),
      from_at: text(),
      /** The status of the response; null if a person imported the file. */
      status: integer().nullable(),
      content: text(),
    },
  }),
  /** A visit of a person who followed a link in an answer. Nothing about the person is stored. */
  referrals: table({
    key: ['workspace_id', 'id'],
    index: { referrals_by_date: { columns: ['workspace_id', 'date'] } },
    columns: {
      workspace_id: text(),
      /** A keyed hash of the log line. */
      id: text(),
      date: text(),
      host: text().nullable(),
      path: text(),
      engine: text(),
    },
  }),
  /** A day whose verdicts must be looked at again. */
  unsettled_days: table({
    key: ['workspace_id', 'day'],
    columns: {
      workspace_id: text(),
      /** Days since 1970. */
      day: integer(),
      /**
       * `written`: its hits must be counted again; `nearby`: proof of other days or a visitor changed what
       * decides its refuted hits.
       */
      state: text<'written' | 'nearby'>().default("'written'"),
      /** A number that each mark draws again, so that a mark set while the day is settled stays. */
      marks: integer().default('0'),
    },
  }),
  /** A refuted hit whose verdict waits for the proof that an ingest brings. */
  unsettled_hits: table({
    key: ['workspace_id', 'day', 'id'],
    sqlite: { isClustered: true },
    columns: {
      workspace_id: text(),
      /** Days since 1970. */
      day: integer(),
      id: text(),
    },
  }),
  /** Hits of one operator's bots from one network, on one site and day. */
  hit_votes: table({
    key: ['workspace_id', 'day', 'verdict', 'site', 'operator', 'network'],
    columns: {
      workspace_id: text(),
      day: integer(),
      /**
       * What lists and names say of the address, whatever the hits are shown as: `verified`, or `refuted`,
       * or `shared` if refuted with an ordinary visitor behind it.
       */
      verdict: text<'verified' | 'refuted' | 'shared'>(),
      /** The domain of an own site; empty for all other hosts. */
      site: text(),
      operator: text(),
      /** A keyed hash. */
      network: text(),
      hits: integer(),
    },
  }),
  /** A part of the bits of a day's ordinary visitors. */
  visitor_bits: table({
    key: ['workspace_id', 'slot'],
    columns: {
      workspace_id: text(),
      /** The day and the part. */
      slot: integer(),
      bits: bytes(),
    },
  }),
  /** A part of the bits of the pages that a day's ordinary visitors got, and of those that refused them. */
  path_bits: table({
    key: ['workspace_id', 'slot'],
    columns: {
      workspace_id: text(),
      /** The day and the part. */
      slot: integer(),
      bits: bytes(),
    },
  }),
  /**
   * One version of an operator's file, which is a range list or a key directory. It was valid from
   * the first to the last fetch that returned it.
   */
  operator_files: table({
    key: ['file_id', 'content_hash', 'first_at'],
    columns: {
      file_id: text(),
      content_hash: text(),
      first_at: text(),
      last_at: text(),
      content: text(),
    },
  }),
  /** When an operator's file was last requested. */
  operator_checks: table({
    columns: {
      file_id: text().primary(),
      url: text(),
      checked_at: text(),
      problem: text().nullable(),
    },
  }),
} as const;
