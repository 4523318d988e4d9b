import type { ShareRow } from '@overheard/contract';
import { readPeriodShares } from './shares/shares.ts';
import type { Period } from './shares/windows.ts';
import { countGaps } from '../storage/gaps.ts';
import type { ReportSource } from './report-source.ts';

type BrandRate = Pick<
  ShareRow,
  'rate' | 'rate_low' | 'rate_high' | 'runs' | 'rate_change' | 'rate_verdict'
>;

/** One workspace in the list of all: what changes only with the workspace's data, and with the day. */
export type PortfolioRow = Awaited<ReturnType<typeof readPortfolioRow>>;

/** Reads the line of one workspace. */
export async function readPortfolioRow(source: ReportSource, period: Period) {
  const { db, workspaceId } = source;
  const shares = await readPeriodShares(source, { ...period, excludesCompetitorPrompts: false });
  const { head } = shares;
  const [judged] = shares.judgedBy('total', { surface: head, isBrandOnly: true });
  const { open, high } = await countGaps(source);
  const crawl = await db
    .selectFrom('hit_days')
    .select(({ fn }) => fn.max<string | null>('verified_at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return {
    /** The brand in the period; null without counted answers. */
    brand: judged === undefined ? null : rateOf(judged.row),
    /** The chance behind its change: the list controls false discoveries over all workspaces. */
    chance: judged?.chance,
    gaps: { open, high },
    lastAnswerAt: (await readLastAnswerAt(source)) ?? null,
    /** The last genuine request of a crawler. */
    lastCrawlAt: crawl?.at ?? null,
    promptsOn: await countPromptsOn(source),
  };
}

function rateOf({
  rate,
  rate_low,
  rate_high,
  runs,
  rate_change,
  rate_verdict,
}: ShareRow): BrandRate {
  return { rate, rate_low, rate_high, runs, rate_change, rate_verdict };
}

/** How many prompts of a workspace are switched on. */
export async function countPromptsOn({ db, workspaceId }: ReportSource): Promise<number> {
  const { count } = await db
    .selectFrom('prompts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .where('collect', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** When a workspace got its last answer. */
export async function readLastAnswerAt({
  db,
  workspaceId,
}: ReportSource): Promise<string | undefined> {
  const answer = await db
    .selectFrom('runs')
    .select('run_at')
    .where('workspace_id', '=', workspaceId)
    .where('outcome', '=', 'answered')
    .orderBy('run_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return answer?.run_at;
}
