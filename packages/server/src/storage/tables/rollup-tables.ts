import type { HitRow } from '@overheard/contract';

/** By which version of their rules a workspace's rollups were made. */
export interface RollupStateTable {
  workspace_id: string;
  version: number;
}

/** The subjects that judged runs. */
export interface SubjectSetTable {
  workspace_id: string;
  id: string;
  /** JSON: `[[subject id, hash of its words]]`. */
  subjects: string;
}

/** What the runs of one day and engine cite, as JSON. */
export interface SourceCountTable {
  workspace_id: string;
  date: string;
  engine: string;
  /** Counted runs, and by run their sites, cited competitors, prompts and pages: see `PackedRuns`. */
  runs: string;
  sites: string;
  competitors: string;
  prompts: string;
  pages: string;
  /** Pages that answers link if they cite the brand by a link, those to branded prompts, too. */
  linked: string;
}

/** Counts of hits by verdict, and by class of status if there is one. */
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

/** A value for each count of hits. */
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
  /** Empty if the log names none. */
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
  /** The last verified hit. */
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
  /** Counts of each prompt and its cited subjects, see `rollups/packed-counts.ts`. */
  counts: Uint8Array;
}
