import { readLatestQuotes } from '../../answers/actions/explain-action.ts';
import { readGapDetails } from '../../answers/actions/gap-details.ts';
import { readGapList } from '../../answers/actions/gap-list.ts';
import { readTopicProposals } from '../../answers/topics/read-proposals.ts';
import { readAskingPrice, readAskingProgress } from '../../collect/ask-now.ts';
import { readCollection } from '../../collect/collection.ts';
import { readJudging } from '../../collect/stances/judging.ts';
import type { PriceRow } from '../../collect/engines/prices.ts';
import { readWorkspaceBots } from '../../crawlers/bots/workspace-bots.ts';
import { readStandings } from '../../crawlers/hits/site-standing.ts';
import { readAppsAndApis } from '../../reports/apps-and-apis.ts';
import { readAnswerList } from '../../reports/answer-pages/answer-list.ts';
import { readCompetitors } from '../../reports/competitors.ts';
import { readNeverCited } from '../../reports/crawl-chain.ts';
import { readCrawls } from '../../reports/crawls.ts';
import { readFilters } from '../../reports/filters.ts';
import { readFound } from '../../reports/find.ts';
import { readGapEngines } from '../../reports/gap-engines.ts';
import { readGapResults } from '../../reports/gap-results.ts';
import { readHeadToHead } from '../../reports/head-to-head.ts';
import { readAddressVerdicts } from '../../reports/hits/address-verdicts.ts';
import { readEngineAccess } from '../../reports/engine-access/engine-access.ts';
import { readHitTotals } from '../../reports/hits/hit-totals.ts';
import type { HitFilter } from '../../reports/hits/hit-totals.ts';
import { readLatestHits } from '../../reports/hits/latest-hits.ts';
import { readToCitation } from '../../reports/read-to-citation.ts';
import { readReferralCounts } from '../../reports/hits/referral-counts.ts';
import { readUnreadPages } from '../../reports/hits/unread-pages.ts';
import { readKnownNames } from '../../reports/known-names.ts';
import type { NamedFilter } from '../../reports/known-names.ts';
import { readNews } from '../../reports/news.ts';
import { readOverviewPage } from '../../reports/overview-page.ts';
import { composeReport } from '../../reports/published/compose.ts';
import { readPublishedRows, readRecountedRow } from '../../reports/published/rows.ts';
import { readPortfolioRow } from '../../reports/portfolio-row.ts';
import { readPromptList } from '../../reports/prompt-pages/prompt-list.ts';
import { readPromptPage } from '../../reports/prompt-pages/prompt-page.ts';
import type { ReportSource } from '../../reports/report-source.ts';
import { readSearches } from '../../reports/searches.ts';
import { readSourceList } from '../../reports/sources.ts';
import { readStancePage } from '../../reports/stances/stance-page.ts';
import { readTopics } from '../../reports/topics.ts';
import { judgeWhatIf } from '../../reports/robots/what-if.ts';
import { reportRobots } from '../../reports/robots/robots-report.ts';
import type { Period } from '../../reports/shares/windows.ts';
import { countGapsByTag } from '../../storage/gaps.ts';
import type { Store } from '../../storage/store.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { readStanceToLabel } from './read-stance-to-label.ts';
import { readMarkedAnswer } from './read-marked-answer.ts';

/** The source of a report. The store gives access to the ledger of paid questions. */
export interface ReaderSource extends ReportSource {
  readonly store: Store;
  /** Prices that the operator has given. */
  readonly prices?: readonly PriceRow[] | undefined;
}

/** Every report that pages read, by name. Queries and results must survive JSON. */
const registry = {
  appsAndApis: readAppsAndApis,
  competitors: readCompetitors,
  filters: readFilters,
  found: readFound,
  gap: readGapDetails,
  gapEngines: readGapEngines,
  gapResults: readGapResults,
  gaps: readGapList,
  headToHead: readHeadToHead,
  hitTotals: readHitTotals,
  engineAccess: readEngineAccess,
  topicProposals: readTopicProposals,
  topics: async (source: ReportSource, query: Parameters<typeof readTopics>[1]) => {
    const gaps = await countGapsByTag(source);
    const { topics, ...rest } = await readTopics(source, query);
    return { ...rest, topics: topics.map((row) => ({ ...row, gaps: gaps.get(row.topic) ?? 0 })) };
  },
  unreadPages: readUnreadPages,
  crawls: readCrawls,
  referralCounts: readReferralCounts,
  latestHits: readLatestHits,
  readToCitation,
  addressVerdicts: readAddressVerdicts,
  robots: async (source: ReportSource, { host, ...days }: HitFilter) =>
    reportRobots(source, { ...(await ofRobots(source, days)), host }),
  whatIf: async (
    source: ReportSource,
    { host, content, ...days }: Period & { readonly host: string; readonly content: string },
  ) => judgeWhatIf(source, { ...(await ofRobots(source, days)), host, content }),
  standings: ({ db, workspaceId }: ReportSource, period: Period) =>
    readStandings(db, workspaceId, period),
  // The ledger has no revision, so the moment is part of the query.
  collection: (
    { store, workspaceId, prices }: ReaderSource,
    query: { nowMs: number; days: number },
  ) => readCollection(store, workspaceId, { ...query, prices }),
  askingPrice: ({ store, workspaceId, prices }: ReaderSource, query: { nowMs: number }) =>
    readAskingPrice(store, workspaceId, { ...query, prices }),
  askingProgress: ({ store, workspaceId }: ReaderSource, query: { since: string; nowMs: number }) =>
    readAskingProgress(store, workspaceId, query),
  neverCited: readNeverCited,
  names: async (source: ReportSource, { of }: { of: NamedFilter }) =>
    [...(await readKnownNames(source, of))].toSorted(),
  news: readNews,
  overview: readOverviewPage,
  portfolioRow: readPortfolioRow,
  publication: composeReport,
  publishedReports: readPublishedRows,
  recountedReport: readRecountedRow,
  answers: readAnswerList,
  answer: readMarkedAnswer,
  prompts: readPromptList,
  prompt: readPromptPage,
  quotes: readLatestQuotes,
  sources: readSourceList,
  searches: readSearches,
  judging: ({ store, workspaceId, prices }: ReaderSource, query: { nowMs: number }) =>
    readJudging(store, workspaceId, { ...query, prices }),
  stances: readStancePage,
  stanceToLabel: readStanceToLabel,
} as const;

/** The bots and moments of a report of robots.txt. */
async function ofRobots({ db, workspaceId }: ReportSource, { from, to }: Period) {
  return {
    bots: await readWorkspaceBots(db, workspaceId),
    fromMs: Date.parse(from),
    toMs: Date.parse(addDays(to, 1)),
  };
}

export type ReportName = keyof typeof registry;

type Queries = {
  [Name in ReportName]: Parameters<(typeof registry)[Name]> extends [unknown, infer Query]
    ? Query
    : Record<string, never>;
};
type Results = { [Name in ReportName]: Awaited<ReturnType<(typeof registry)[Name]>> };

/** The query of a report; `{}` if it has no parameters. */
export type ReportQuery<Name extends ReportName> = Queries[Name];
/** The result of a report. */
export type ReportResult<Name extends ReportName> = Results[Name];

const functions: {
  readonly [Name in ReportName]: (
    source: ReaderSource,
    query: Queries[Name],
  ) => Promise<Results[Name]>;
} = registry;

/** Reads one report here, in this thread. */
export function runReport<Name extends ReportName>(
  source: ReaderSource,
  name: Name,
  query: ReportQuery<Name>,
): Promise<ReportResult<Name>> {
  return functions[name](source, query);
}
