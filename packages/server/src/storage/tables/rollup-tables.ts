import type { HitRow } from '@overheard/contract';

/** The version of the rules by which a workspace's rollups were made. */
export interface RollupStateTable {
  workspace_id: string;
  version: number;
}

/** A set of subjects that runs were judged by. */
export interface SubjectSetTable {
  workspace_id: string;
  id: string;
  /** JSON: `[[subject id, hash of its words]]`. */
  subjects: string;
}

/** The sites and pages that the runs of one day and engine cite, as JSON. */
export interface SourceCountTable {
  workspace_id: string;
  date: string;
  engine: string;
  /** Counted runs with their sites, cited competitors, prompts and pages. See `PackedRuns`. */
  runs: string;
  sites: string;
  competitors: string;
  prompts: string;
  pages: string;
  /**
   * Pages that answers link to if they cite the brand by a link, including answers to branded
   * prompts.
   */
  linked: string;
}

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

type HitCount = (typeof hitCounts)[number];

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

interface HitCounts extends Record<HitCount, number> {
  workspace_id: string;
  /** The host; empty if the log names none. */
  host: string;
}

/** Hits of one bot on one day. */
interface HitCountColumns extends HitCounts {
  date: string;
  bot_hash: string;
  bot_name: string;
  bot_company: string;
  category: HitRow['category'];
  first_at: string;
  last_at: string;
  /** When the last verified hit was. */
  verified_at: string | null;
}

export type HitDayTable = HitCountColumns & { host_hash: string };
export type HitPageTable = HitCountColumns & { page_hash: string; path: string };
/** Hits of one page by all bots on all days. */
export type HitPageTotalTable = HitCounts & { page_hash: string; path: string };

/** Counted runs of one day, engine, cohort and set of subjects. */
export interface RunCountTable {
  workspace_id: string;
  date: string;
  engine: string;
  cohort: string;
  judged_by: string;
  /** Counts of each prompt and its cited subjects. See `rollups/packed-counts.ts`. */
  counts: Uint8Array;
}
