import { limits } from '@overheard/contract';
import { findChainEnds, mostReadFirst } from '../storage/counts/chain-ends.ts';
import { readOwnPages, readUncitedPages } from '../storage/counts/own-pages.ts';
import type { OwnPage } from '../storage/counts/own-pages.ts';
import { readPageBots } from '../storage/counts/page-bots.ts';
import type { BotReads } from '../storage/counts/page-bots.ts';
import { readOwn } from './owners.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** One own page, from the requests of bots to the answers that cite it. */
export interface ChainPage {
  /** The address without scheme, `www.` and query: `acme.com/docs`. */
  readonly page: string;
  /**
   * Lower bounds of the period's verified requests that got the page, and of those that were
   * refused.
   */
  readonly reads: number;
  readonly refusals: number;
  /**
   * Answered runs of the period that link to the page or give it as a source, including runs of
   * branded prompts.
   */
  readonly runs: number;
  readonly last_cited_at: string | null;
  /** The last verified request on any day. */
  readonly last_requested_at: string | null;
  readonly bots: readonly BotReads[];
}

/**
 * Own pages with a break between a bot's request and a citation, by where it is. A page may be in two
 * lists.
 */
export interface CrawlChain extends Period {
  /**
   * Verified bots read the page but no run cites it. Pages with the most reads for answers come
   * first.
   */
  readonly read_not_cited: readonly ChainPage[];
  /** Runs cite the page but no bot requests it any more. Pages with the most runs come first. */
  readonly cited_not_read: readonly ChainPage[];
  /** The page is refused to verified bots that read for answers: most runs that cite it first. */
  readonly refused: readonly ChainPage[];
}

/**
 * Compares the brand's own pages that bots request with those that answers cite, over a period.
 * Each list has at most 1,000 pages. `cited_not_read` has only pages of hosts that bots still read,
 * because the log of any other host may be missing. Citations by Gemini's redirects are missing,
 * because these do not show their page.
 */
export async function readCrawlChain(
  source: ReportSource,
  { from, to }: Period,
): Promise<CrawlChain> {
  const { db, workspaceId } = source;
  const query = { from, to, ...(await readOwn(source)) };
  const ends = findChainEnds(await readOwnPages(db, workspaceId, query));
  const first = (pages: readonly OwnPage[]) =>
    toChainPages(source, query, pages.slice(0, limits.reportRowsMax));
  return {
    from,
    to,
    read_not_cited: await first(ends.uncited),
    cited_not_read: await first(ends.unread),
    refused: await first(ends.refused),
  };
}

/** Reads the first pages that verified bots read but no run cites, and their number. */
export async function readNeverCited(
  source: ReportSource,
  { from, to, limit }: Period & { readonly limit: number },
) {
  const { db, workspaceId } = source;
  const query = { from, to, ...(await readOwn(source)) };
  const uncited = mostReadFirst(await readUncitedPages(db, workspaceId, query));
  const page = uncited.slice(0, limit);
  return { total: uncited.length, pages: await toChainPages(source, query, page) };
}

async function toChainPages(
  { db, workspaceId }: ReportSource,
  { from, to }: Period,
  pages: readonly OwnPage[],
): Promise<ChainPage[]> {
  const botsOf = await readPageBots(db, workspaceId, { from, to, pages });
  return pages.map((one) => ({
    page: one.page,
    reads: one.reads,
    refusals: one.refusals,
    runs: one.runs.length,
    last_cited_at: one.lastCitedAt,
    last_requested_at: one.lastRequestedAt,
    bots: botsOf.get(one) ?? [],
  }));
}
