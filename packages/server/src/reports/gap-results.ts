import type { ShareRow } from '@overheard/contract';
import type { Proportion } from '../values/statistics/distributions.ts';
import { addDays } from '../values/time/utc-day.ts';
import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';

const windowDays = 28;

/** A gap that is done. */
interface DoneGap {
  /** The prompts that it is about; empty for all. */
  readonly promptIds: readonly string[];
  /** The UTC day on which it was done. */
  readonly day: string;
}

/**
 * The brand in the 28 days up to the day on which a gap was done, and in the 28 days after it: over the
 * answers to its prompts, or to all prompts.
 */
export interface GapResult {
  /** The last day that counts. */
  readonly until: string;
  /** Null until then, and if there were no answers. */
  readonly brand: ShareRow | null;
  /** The answers of the 28 days before, and those of them that cite the brand. */
  readonly before: Proportion;
}

/** Whether gaps that are done have changed anything, in the order of the query. */
export async function readGapResults(
  source: ReportSource,
  { gaps, today }: { readonly gaps: readonly DoneGap[]; readonly today: string },
): Promise<GapResult[]> {
  const known = new Map<string, GapResult>();
  const results: GapResult[] = [];
  for (const gap of gaps) {
    const key = `${gap.day} ${gap.promptIds.join(' ')}`;
    const result = known.get(key) ?? (await readResult(source, gap, today));
    known.set(key, result);
    results.push(result);
  }
  return results;
}

async function readResult(
  source: ReportSource,
  { promptIds, day }: DoneGap,
  today: string,
): Promise<GapResult> {
  const until = addDays(day, windowDays);
  if (until >= today) return { until, brand: null, before: { part: 0, whole: 0 } };
  const { head, rowsBy, groupsBy } = await readPeriodShares(source, {
    from: addDays(day, 1),
    to: until,
    ...(promptIds.length === 1 ? { promptId: promptIds[0] } : { promptIds }),
    excludesCompetitorPrompts: false,
  });
  const [brand = null] = rowsBy('total', { surface: head, isBrandOnly: true });
  const cells = [...(groupsBy('total', head).get('')?.prompts.values() ?? [])].flat();
  return {
    until,
    brand,
    before: {
      part: cells.reduce((sum, { before: { cited } }) => sum + (cited[0] ?? 0), 0),
      whole: cells.reduce((sum, { before: { runs } }) => sum + runs, 0),
    },
  };
}
