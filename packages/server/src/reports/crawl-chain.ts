import { limits } from '@overheard/contract';
import { findChainEnds, mostReadFirst } from '../storage/rollups/chain-ends.ts';
import { addLastRequests, readOwnPages, readUncitedPages } from '../storage/rollups/own-pages.ts';
import type { OwnPage } from '../storage/rollups/own-pages.ts';
import { readBots } from '../storage/rollups/page-bots.ts';
import type { BotReads } from '../storage/rollups/page-bots.ts';
import { readHostUnnamed, readOwners } from './owners.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** One own page, from the requests of bots to the answers that cite it. */
export interface ChainPage {
  /** Without scheme, `www.` and query: `acme.com/docs`. */
  readonly page: string;
  /** At least this many verified requests of the period got the page, and this many were refused. */
  readonly reads: number;
  readonly refusals: number;
  /** Answered runs of the period, of branded prompts too, that link the page or give it as a source. */
  readonly runs: number;
  readonly last_cited_at: string | null;
  /** The last verified request, of any day. */
  readonly last_requested_at: string | null;
  readonly bots: readonly BotReads[];
}

/**
 * Own pages with a break between a bot's request and a citation, by where it is. A page may be in two
 * lists.
 */
export interface CrawlChain extends Period {
  /** Verified bots read the page, and no run cites it: most reads for answers first. */
  readonly read_not_cited: readonly ChainPage[];
  /** Runs cite the page, and no bot requests it any more: most runs first. */
  readonly cited_not_read: readonly ChainPage[];
  /** The page is refused to verified bots that read for answers: most runs that cite it first. */
  readonly refused: readonly ChainPage[];
}

/**
 * Compares the brand's own pages that bots request with those that answers cite, over a period. Each list
 * has at most 1,000 pages. `cited_not_read` has only pages of hosts that bots still read, because the log
 * of any other host may be missing. Gemini's redirects do not show the page that they lead to.
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

/** The first of the pages that verified bots read and no run cites, and how many there are. */
export async function readNeverCited(
  source: ReportSource,
  { from, to, limit }: Period & { readonly limit: number },
): Promise<{ readonly total: number; readonly pages: readonly ChainPage[] }> {
  const { db, workspaceId } = source;
  const query = { from, to, ...(await readOwn(source)) };
  const uncited = mostReadFirst(await readUncitedPages(db, workspaceId, query));
  const shown = uncited.slice(0, limit);
  await addLastRequests(db, workspaceId, shown);
  return { total: uncited.length, pages: await toChainPages(source, query, shown) };
}

async function readOwn(source: ReportSource) {
  const ownerOf = await readOwners(source);
  return {
    isOwn: (address: string) => ownerOf(address).owner === 'brand',
    hostUnnamed: await readHostUnnamed(source),
  };
}

async function toChainPages(
  { db, workspaceId }: ReportSource,
  { from, to }: Period,
  pages: readonly OwnPage[],
): Promise<ChainPage[]> {
  const botsOf = await readBots(db, workspaceId, { from, to, pages });
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
