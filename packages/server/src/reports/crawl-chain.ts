import { limits } from '@overheard/contract';
import { findChainEnds } from '../storage/rollups/chain-ends.ts';
import { readOwnPages } from '../storage/rollups/own-pages.ts';
import type { BotReads, OwnPage } from '../storage/rollups/own-pages.ts';
import { readHostUnnamed, readOwners } from './owners.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** One own page, from the requests of bots to the answers that cite it. */
export interface ChainPage {
  /** Without scheme, `www.` and query: `acme.com/docs`. */
  readonly page: string;
  /** At least so many verified requests of the period got the page, and so many were refused. */
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
  const ownerOf = await readOwners(source);
  const pages = await readOwnPages(source.db, source.workspaceId, {
    from,
    to,
    isOwn: (address) => ownerOf(address).owner === 'brand',
    hostUnnamed: await readHostUnnamed(source),
  });
  const { uncited, unread, refused } = findChainEnds(pages);
  return {
    from,
    to,
    read_not_cited: uncited.slice(0, limits.reportRowsMax).map(toChainPage),
    cited_not_read: unread.slice(0, limits.reportRowsMax).map(toChainPage),
    refused: refused.slice(0, limits.reportRowsMax).map(toChainPage),
  };
}

function toChainPage(one: OwnPage): ChainPage {
  const { page, reads, refusals, runs, lastCitedAt, lastRequestedAt, bots } = one;
  const times = { last_cited_at: lastCitedAt, last_requested_at: lastRequestedAt };
  return { page, reads, refusals, runs: runs.length, ...times, bots };
}
