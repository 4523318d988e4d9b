import type { ShareRow } from '@overheard/contract';
import { readAnswerList } from '../answer-pages/answer-list.ts';
import type { ListedAnswer } from '../answer-pages/answer-list.ts';
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

/** The stored runs of one engine, of all days. */
export interface AskedEngine {
  readonly engine: string;
  readonly runs: number;
  readonly last_run_at: string;
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
  readonly latest: readonly ListedAnswer[];
  readonly askedEngines: readonly AskedEngine[];
}

const answersShown = 10;
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
  const { rows: latest } = await readAnswerList(source, {
    ...period,
    promptId,
    rowsMax: answersShown,
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
    latest,
    askedEngines: await readAskedEngines(source, promptId),
  };
}

function isBrand({ subject_type: type }: ShareRow): boolean {
  return type === 'brand';
}

async function readAskedEngines(
  { db, workspaceId }: ReportSource,
  promptId: string,
): Promise<AskedEngine[]> {
  const rows = await db
    .selectFrom('runs')
    .select('engine')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('runs'),
      fn.max('run_at').as('last_run_at'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('prompt_id', '=', promptId)
    .groupBy('engine')
    .orderBy('engine')
    .execute();
  return rows.map((row) => ({ ...row, runs: Number(row.runs) }));
}
