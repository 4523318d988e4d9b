import type { ShareRow } from '@overheard/contract';
import { readPeriodShares, readShares } from '../shares/shares.ts';
import type { ShareQuery, Surfaces } from '../shares/shares.ts';
import type { TrendBucket } from '../shares/trend.ts';
import { windowsOf } from '../shares/windows.ts';
import type { ReportSource } from '../report-source.ts';
import { readPromptStates } from './prompt-list.ts';
import type { PromptState } from './prompt-list.ts';

/** Selects one prompt, and the runs for its figures. */
export interface PromptPageQuery extends Pick<ShareQuery, 'from' | 'to' | 'engine' | 'surface'> {
  readonly promptId: string;
  /** The current day (UTC), which is not over. */
  readonly today: string;
}

/** One prompt with its figures. */
export interface PromptPageReport {
  readonly prompt: PromptState;
  readonly surfaces: Surfaces;
  /** Every subject, over the engines of the head. */
  readonly subjects: readonly ShareRow[];
  /** The brand on each engine. */
  readonly engines: readonly ShareRow[];
  /** The brand by week, the oldest first. */
  readonly trend: readonly TrendBucket[];
}

const weekDays = 7;
const nothing = { runs: 0, rate: null, rate_low: null, rate_high: null };

/** Reads one prompt; null if the workspace does not have it. */
export async function readPromptPage(
  source: ReportSource,
  { promptId, today, ...period }: PromptPageQuery,
): Promise<PromptPageReport | null> {
  const [prompt] = await readPromptStates(source, { ...period, promptId });
  if (prompt === undefined) return null;
  const query = { ...period, promptId, excludesCompetitorPrompts: false };
  const { rowsBy, head, surfaces } = await readPeriodShares(source, query);
  const byWeek = await readShares(source, {
    ...query,
    by: 'week',
    surface: head,
    rowsMax: Number.POSITIVE_INFINITY,
  });
  const weeks = new Map(byWeek.filter(isBrand).map((row) => [row.to, row]));
  return {
    prompt,
    surfaces: surfaces(),
    subjects: rowsBy('total', { surface: head }),
    engines: rowsBy('engine', { isBrandOnly: true }),
    trend: windowsOf(period, weekDays).map(({ from, to }) => {
      const { runs, rate, rate_low, rate_high } = weeks.get(to) ?? nothing;
      return { from, to, runs, rate, rate_low, rate_high, isUnfinished: to >= today };
    }),
  };
}

function isBrand({ subject_type: type }: ShareRow): boolean {
  return type === 'brand';
}
