import type { ColumnType } from 'kysely';

/** The tables of logs and crawlers besides the hits. */
export interface CrawlerTables {
  crawler_settings: CrawlerSettingsTable;
  log_files: LogFileTable;
  workspace_bots: WorkspaceBotTable;
  own_sites: OwnSiteTable;
  robots_files: RobotsFileTable;
  referrals: ReferralTable;
  unsettled_days: UnsettledDayTable;
  hit_votes: HitVoteTable;
  visitor_bits: VisitorBitsTable;
  operator_files: OperatorFileTable;
  operator_checks: OperatorCheckTable;
}

interface CrawlerSettingsTable {
  workspace_id: string;
  /** The secret of the keyed hashes that are the ids of hits: 64 hexadecimal digits. */
  secret: string;
  keep_addresses_days: number;
  /** Since when addresses are kept because the list that is needed to judge them is missing. */
  waiting_since: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Why a hit that a list or a host name refutes is not shown as spoofed. */
export type OverruledBy = 'site_unproven' | 'proof_pending' | 'visitor_address';

/** A day whose verdicts must be looked at again. */
interface UnsettledDayTable {
  workspace_id: string;
  /** Days since 1970. */
  day: number;
  /** `written`: its hits changed; `counted`: and its proof is counted; `nearby`: proof of other days changed. */
  state: ColumnType<
    'written' | 'counted' | 'nearby',
    'written' | 'counted' | 'nearby' | undefined,
    'written' | 'counted' | 'nearby'
  >;
}

/** Hits of one operator's bots from one network, on one site and day. */
interface HitVoteTable {
  workspace_id: string;
  day: number;
  /** The domain of an own site; empty for all other hosts. */
  site: string;
  /**
   * What lists and names say of the address, whatever the hits are shown as: `verified`, or `refuted`, or
   * `shared` if refuted with an ordinary visitor behind it.
   */
  verdict: 'verified' | 'refuted' | 'shared';
  operator: string;
  /** A keyed hash. */
  network: string;
  hits: number;
}

/** A part of the bits of a day's ordinary visitors. */
interface VisitorBitsTable {
  workspace_id: string;
  /** The day and the part. */
  slot: number;
  bits: Uint8Array;
}

/** How far a log file has been read under the same options. */
interface LogFileTable {
  workspace_id: string;
  /** Device and inode. */
  file_key: string;
  options_key: string;
  path: string;
  read_bytes: number;
  /** `LENGTH:HMAC` of the last bytes before `read_bytes`. */
  fingerprint: string;
  /** The `#Fields` line that applies at `read_bytes`. */
  directive: string | null;
  updated_at: string;
}

interface WorkspaceBotTable {
  workspace_id: string;
  folded: string;
  /** JSON: a row as in the catalogue. */
  bot: string;
}

/** A domain of the workspace's own, besides its brand's. */
interface OwnSiteTable {
  workspace_id: string;
  domain: string;
}

/** The robots.txt of a host as it was at one moment. */
interface RobotsFileTable {
  workspace_id: string;
  host: string;
  from_at: string;
  /** The status of the response; null if a person imported the file. */
  status: number | null;
  content: string;
}

/** A visit of a person who followed a link in an answer. Nothing about the person is stored. */
interface ReferralTable {
  workspace_id: string;
  /** A keyed hash of the log line. */
  id: string;
  date: string;
  host: string | null;
  path: string;
  engine: string;
}

/**
 * One version of an operator's file, which is a range list or a key directory. It was valid from
 * the first to the last fetch that returned it.
 */
interface OperatorFileTable {
  file_id: string;
  content_hash: string;
  first_at: string;
  last_at: string;
  content: string;
}

/** When an operator's file was last requested. */
interface OperatorCheckTable {
  file_id: string;
  url: string;
  checked_at: string;
  problem: string | null;
}
