import { isAsked, readAskingSwitch, readSilence } from '../../../collect/ledger/asking-switch.ts';
import { readEngines } from '../../../collect/ledger/paced-engines.ts';
import { readMoneyOf } from '../../../collect/ledger/workspace-money.ts';
import type { WorkspaceMoney } from '../../../collect/ledger/workspace-money.ts';
import type { Period } from '../../../reports/shares/windows.ts';
import type { PortfolioRow } from '../../../reports/portfolio-row.ts';
import { engineName } from '../../../values/engine.ts';
import { plural } from '../../../values/plural.ts';
import { controlFalseDiscoveries, incomparable } from '../../../values/statistics/compare.ts';
import type { Comparison } from '../../../values/statistics/compare.ts';
import { addDays, dayMs, utcDay } from '../../../values/time/utc-day.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import type { PageContext } from '../../request/page-context.ts';

/** What needs somebody in a workspace. */
interface WorkspaceProblem {
  readonly tone: 'bad' | 'warn';
  readonly words: string;
}

/** A workspace in the list of all. */
export interface PortfolioLine {
  readonly workspace: Workspace;
  /** Undefined if it was not read in time. */
  readonly row: PortfolioRow | undefined;
  /** Of all workspaces that are said to have changed, at most 10 % are expected to be chance. */
  readonly change: Comparison;
  readonly money: WorkspaceMoney | undefined;
  readonly problems: readonly WorkspaceProblem[];
  /** Whether it has no answers yet. */
  readonly isNew: boolean;
}

const days = 28;
const crawlDaysMax = 7;
const nearCap = 0.9;

/** What the lines are read with. */
interface PortfolioTools extends Pick<PageContext, 'store' | 'clock' | 'prices'> {
  /** Reads the rows of workspaces by their ids, as many as it can in time. */
  readonly readRows: (
    ids: readonly string[],
    period: Period,
  ) => Promise<ReadonlyMap<string, PortfolioRow>>;
}

/** Reads the lines of workspaces: those that need somebody first, then those that have changed. */
export async function readPortfolio(
  { store, clock, prices, readRows }: PortfolioTools,
  workspaces: readonly Workspace[],
): Promise<PortfolioLine[]> {
  const ids = workspaces.map(({ id }) => id);
  const today = utcDay(clock());
  const period = { from: addDays(today, 1 - days), to: today };
  const rowOf = await readRows(ids, period);
  const money = await readMoneyOf(store, ids, { clock });
  const ledger = await store.ledger();
  const engines =
    ledger === undefined ? [] : await readEngines(store, ledger, { rows: prices, nowMs: clock() });
  const refused = engines.filter(({ offReason }) => offReason !== null && offReason !== 'disabled');
  const asking = { since: await readAskingSwitch(store), refused: refused.map(({ name }) => name) };
  const changes = controlFalseDiscoveries(ids.map((id) => comparisonOf(rowOf.get(id))));
  const nowMs = clock();
  const lines = workspaces.map(async (workspace, index) => {
    const row = rowOf.get(workspace.id);
    const own = money.get(workspace.id);
    const { promptsOn = 0, lastAnswerAt = null } = row ?? {};
    const facts = { since: asking.since, sweeps: own?.sweeps ?? 0, promptsOn, lastAnswerAt };
    const silence = await readSilence(store, workspace.id, { facts, nowMs });
    const refusing = isAsked(facts) ? asking.refused : undefined;
    const problems = problemsOf({ row, money: own }, silence, refusing, nowMs);
    const isNew = row !== undefined && row.lastAnswerAt === null;
    return { workspace, row, money: own, change: changes[index] ?? incomparable, isNew, problems };
  });
  return (await Promise.all(lines)).toSorted(byNeed);
}

function comparisonOf(row: PortfolioRow | undefined): Comparison {
  const { brand = null, chance } = row ?? {};
  if (brand === null) return incomparable;
  const { rate_change: change, rate_verdict: verdict } = brand;
  return { change: change ?? undefined, detectable: undefined, chance, verdict };
}

/** `refused` are the engines that refuse; undefined if the workspace is not asked. */
function problemsOf(
  { row, money }: Pick<PortfolioLine, 'row' | 'money'>,
  silence: string | undefined,
  refused: readonly string[] | undefined,
  nowMs: number,
): WorkspaceProblem[] {
  const daysSince = (moment: string): number => Math.floor((nowMs - Date.parse(moment)) / dayMs);
  const problems: WorkspaceProblem[] = [];
  const add = (tone: WorkspaceProblem['tone'], words: string) => problems.push({ tone, words });
  for (const engine of refused ?? []) add('bad', `${engineName(engine)}: refused`);
  if (refused !== undefined && money !== undefined && money.spentUsd >= nearCap * money.capUsd) {
    const used = Math.round((100 * money.spentUsd) / money.capUsd);
    add('warn', used >= 99 ? 'Budget used up' : `Budget ${used} % used`);
  }
  if (silence !== undefined) add('bad', `No answers for ${plural(daysSince(silence), 'day')}`);
  const crawl = row?.lastCrawlAt ?? null;
  if (crawl !== null && daysSince(crawl) >= crawlDaysMax) {
    add('warn', `No crawler for ${plural(daysSince(crawl), 'day')}`);
  }
  return problems;
}

function byNeed(left: PortfolioLine, right: PortfolioLine): number {
  return (
    rank(left) - rank(right) ||
    (right.change.change ?? 0) ** 2 - (left.change.change ?? 0) ** 2 ||
    (left.workspace.name < right.workspace.name ? -1 : 1)
  );
}

/** Broken, near a limit, not set up, fallen, risen, the rest. */
function rank({ problems, isNew, change: { verdict } }: PortfolioLine): number {
  if (problems.some(({ tone }) => tone === 'bad')) return 0;
  if (problems.length > 0) return 1;
  if (isNew) return 2;
  return verdict === 'down' ? 3 : verdict === 'up' ? 4 : 5;
}
