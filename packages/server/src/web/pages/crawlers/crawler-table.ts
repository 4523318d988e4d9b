import { crawls, limits } from '@overheard/contract';
import type { CrawlRow } from '@overheard/contract';
import type { HitFilter } from '../../../reports/hits/hit-totals.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewLink } from '../../request/view.ts';
import { forMembers, mayShowTexts } from '../../request/page-context.ts';
import type { Download, WorkspaceContext } from '../../request/page-context.ts';
import { engineColumns } from './access-part.ts';
import {
  botColumns,
  conductColumns,
  dayColumns,
  hitColumns,
  lagColumns,
  lagWords,
  pageColumns,
  referralColumns,
  unreadColumns,
} from './crawl-columns.ts';
import { neverCited } from './never-cited.ts';
import { whatIfForm } from './what-if.ts';
import { voteWords } from '../../../crawlers/hits/site-standing.ts';
import type { SiteStanding } from '../../../crawlers/hits/site-standing.ts';
import { nameList } from '../../parts/name-list.ts';

/** The lists that the page can show. */
export const shows = [
  'engines',
  'refused',
  'bot',
  'page',
  'cited',
  'day',
  'robots',
  'people',
  'request',
] as const;
export type CrawlerTable = (typeof shows)[number];

/** Most rows on the page. The file has as many as a report may have. */
const rowsMax = 100;
const hitsMax = { page: 50, file: 1000 } as const;

type Part = { readonly page: Html } | { readonly download: Download };

/** The table of a page of crawlers, or its file. */
export async function crawlerTable(
  context: WorkspaceContext,
  filter: HitFilter,
  { tableName, isCsv }: { tableName: CrawlerTable; isCsv: boolean },
): Promise<Part> {
  const { reports } = context;
  const nowMs = context.clock();
  const link = (bot: string): string =>
    viewLink(context, `crawlers/${encodeURIComponent(bot)}`, { host: filter.host });
  const part = <Row>(
    words: { caption: string; empty: Content; note?: Content },
    columns: Columns<Row>,
    rows: readonly Row[],
  ): Part =>
    isCsv
      ? csvOf(context, `crawlers-${tableName}`, columns, rows)
      : { page: section(words, columns, rows) };
  const crawlPart = async (
    by: 'bot' | 'page' | 'day',
    columns: Columns<CrawlRow>,
  ): Promise<Part> => {
    const rows = await reports.read('crawls', { ...filter, by });
    return part(crawlWords[by], isCsv ? columnsOfFields(crawls.fields) : columns, rows);
  };
  const parts: Readonly<Record<CrawlerTable, () => Promise<Part>>> = {
    engines: async () => {
      const { engines } = await reports.read('engineAccess', { to: filter.to, host: filter.host });
      const { botName } = filter;
      const rows = engines.flatMap(({ engine, bots }) => bots.map((bot) => ({ engine, ...bot })));
      return part(
        engineWords,
        engineColumns(nowMs, link),
        rows.filter((row) => botName === undefined || row.bot_name === botName),
      );
    },
    refused: async () =>
      part(unreadWords, unreadColumns(nowMs), await reports.read('unreadPages', filter)),
    bot: async () =>
      withMore(await crawlPart('bot', botColumns(nowMs, link)), async () =>
        standingsPart(await reports.read('standings', { from: filter.from, to: filter.to })),
      ),
    page: () => crawlPart('page', pageColumns(nowMs)),
    cited: async () => {
      const { from, to } = filter;
      const { engines, pages } = await reports.read('readToCitation', { from, to });
      const words = { ...citedWords, note: [citedWords.note, ' ', ...engines.map(lagWords)] };
      const answer = (id: string) =>
        context.shared === undefined ? viewLink(context, `answers/${id}`) : undefined;
      return withMore(part(words, lagColumns(nowMs, answer), pages), () =>
        neverCited(context, { from, to }),
      );
    },
    day: () => crawlPart('day', dayColumns(nowMs)),
    robots: async () => {
      const { bots, without_file: others } = await reports.read('robots', filter);
      const { botName } = filter;
      const rows = bots.filter((row) => botName === undefined || row.bot_name === botName);
      const words = { ...robotsWords(context), note: withoutFile(others) };
      return withMore(part(words, conductColumns(nowMs), rows), async () =>
        forMembers(context, await whatIfForm(context)),
      );
    },
    people: async () => {
      const { pages } = await reports.read('referralCounts', filter);
      return part(peopleWords, referralColumns(nowMs), pages);
    },
    request: async () => {
      const columns = hitColumns(nowMs, link, { hasEvidence: mayShowTexts(context) });
      const limit = isCsv ? hitsMax.file : hitsMax.page;
      return part(requestWords, columns, await reports.read('latestHits', { ...filter, limit }));
    },
  };
  return parts[tableName]();
}

/** A table with what else its page has. The file has the table alone. */
async function withMore(part: Part, more: () => Promise<Content>): Promise<Part> {
  return 'page' in part ? { page: html`${part.page} ${await more()}` } : part;
}

function section<Row>(
  { caption, empty, note }: { caption: string; empty: Content; note?: Content },
  columns: Columns<Row>,
  rows: readonly Row[],
): Html {
  return html`<section>
    <h2>${caption}</h2>
    ${note !== undefined && html`<p class="hint">${note}</p>`}
    ${table({ caption, columns, empty }, rows.slice(0, rowsMax))}
    ${
      rows.length > rowsMax &&
      html`<p class="hint">
        ${
          rows.length < limits.reportRowsMax
            ? `These are the first ${rowsMax} of ${amount(rows.length, 'row')}; the file has them all.`
            : `These are the first ${rowsMax}; the file has the first ${amount(limits.reportRowsMax, 'row')}. There may be more.`
        }
      </p>`
    }
  </section>`;
}

const engineWords = {
  caption: 'Bots of engines',
  note: 'Genuine requests alone: the address is one that the operator publishes. The 7 days end with the log. Forged requests of these days are not among them.',
  empty: 'No request is proven to be of a bot, so nobody can say which bots read the site.',
};

const unreadWords = {
  caption: 'Pages that bots cannot read',
  note: 'Refused (401, 402, 403, 407, 429, 451), or a server error (5xx). Forged requests are not counted: refusing them is right. Pages that answers cite come first.',
  empty: 'Bots could read every page that they asked for.',
};

const countWords = {
  note: 'Verified: proven to be the bot. Spoofed: proven not to be. Unverified: neither. Read: status 2xx or 304. Redirected: another 3xx. Refused: 401, 402, 403, 407, 429 or 451. Failed: another 4xx, or 5xx.',
  empty: 'No request of a bot in this time.',
};

const crawlWords = {
  bot: { caption: 'Bots', ...countWords },
  page: { caption: 'Pages that bots asked for', ...countWords },
  day: { caption: 'Days', ...countWords },
} as const;

const citedWords = {
  caption: 'From the first genuine read to the first answer that links to the page',
  note: 'Your own pages in this period, by engine, for all sites; only bots that read for answers. Fetched for people: because somebody asked. People: they followed a link in an answer. Fetched for an answer: within 5 minutes of an answer that cites the page, and not otherwise in the hour around it.',
  empty: 'No engine with answers of this period read a page of your own.',
};

const peopleWords = {
  caption: 'People who came from an answer',
  note: 'They followed a link in an answer. The counts are a lower bound, because many apps do not say where a visit comes from; anyone can forge it.',
  empty: 'No visit from an answer is known in this time.',
};

const requestWords = {
  caption: 'Latest requests',
  note: `The latest ${hitsMax.page}. The file has the latest ${thousands(hitsMax.file)}; Settings, Import and export has all.`,
  empty: 'No request of a bot in this time.',
};

function robotsWords(context: WorkspaceContext): { caption: string; empty: Content } {
  return {
    caption: 'What bots made of robots.txt',
    empty: html`No request can be compared: no robots.txt is stored for its site and time.
    ${forMembers(context, html`<a href="/w/${context.workspace.slug}/settings/data">Import one</a>.`)}`,
  };
}

function withoutFile(requests: number): Content {
  const only = 'Only verified requests say what an operator did. ';
  if (requests === 0) return only;
  return `${only}${amount(requests, 'request')} ${requests === 1 ? 'is' : 'are'} of a site or a time without a robots.txt here.`;
}

/** Says on which days a refuted request to each site counts as spoofed, and what proves that. */
function standingsPart(standings: readonly SiteStanding[]): Html {
  const caption = 'What proves that a refuted request is spoofed';
  return html`<section>
    <h2>${caption}</h2>
    <p class="hint">
      Requests that are verified by address, of two operators or three networks, in the 30 days before
      and after: then the log has the addresses of clients. On other days, and behind an address that
      visitors share, a refuted request stays unverified.
    </p>
    ${table<SiteStanding>(
      {
        caption,
        empty: '',
        columns: [
          { title: 'Site', cell: ({ domain }) => domain ?? 'All other hosts' },
          { title: 'Verified by address', cell: ({ votes }) => nameList(votes.map(voteWords)) },
          {
            title: 'Proven',
            cell: ({ proven_from: from, proven_to: to }) =>
              from === null ? 'no day' : `${from} to ${to ?? from}`,
          },
        ],
      },
      standings,
    )}
  </section>`;
}
