import type { CrawlRow } from '@overheard/contract';
import type { ReferralCount } from '../../../reports/hits/referral-counts.ts';
import type { EngineLag, PageLag } from '../../../reports/read-to-citation.ts';
import type { UnreadPage } from '../../../reports/hits/unread-pages.ts';
import { amount, plural, thousands } from '../../../values/plural.ts';
import { engineName } from '../../../values/engine.ts';
import { html, ownWords } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { nameList } from '../../parts/name-list.ts';
import { shortDay, shortMinute } from '../../parts/moment-words.ts';
import { counts, texts } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { shownEvidence } from '../../../crawlers/hits/hit.ts';
import type { LatestHit } from '../../../reports/hits/latest-hits.ts';
import type { BotConduct } from '../../../reports/robots/robots-report.ts';
import { reasons } from '../../../crawlers/verify/verdict.ts';

/** The address of a page; only the path if the log names no host. */
export function address({ host, path }: { host: string | null; path: string | null }): Html {
  return html`<span class="path">${host ?? ''}${path ?? ''}</span>`;
}

/** A column of pages. */
export const addressColumn: Column<{ host: string | null; path: string }> = {
  title: 'Page',
  cell: address,
  csv: ({ host, path }) => `${host ?? ''}${path}`,
};

/** A column of days, none where a moment is null. */
const day =
  (nowMs: number) =>
  <Row>(title: string, at: (row: Row) => string | null): Column<Row> => ({
    title,
    cell: (row) => {
      const moment = at(row);
      return moment !== null && shortDay(moment, nowMs);
    },
    csv: at,
  });

export const unreadColumns = (nowMs: number): Columns<UnreadPage> => [
  addressColumn,
  {
    title: 'Refused',
    cell: ({ refused, hits }) => html`${thousands(refused)} of ${thousands(hits)}`,
    csv: ({ refused }) => refused,
    isNumber: true,
  },
  counts('Server errors', ({ failed }) => failed),
  counts('Requests', ({ hits }) => hits),
  {
    title: 'Status',
    cell: ({ statuses }) => statuses.join(', '),
    csv: ({ statuses }) => statuses.join(' '),
  },
  { title: 'Bots', cell: ({ bots }) => nameList(bots), csv: ({ bots }) => bots.join(' ') },
  {
    title: 'Cited by',
    cell: ({ cited_by: engines }) => nameList(engines),
    csv: ({ cited_by: engines }) => engines.join(', '),
  },
  lastColumn(nowMs, ({ last_at: at }) => at),
];

const verdicts = (nowMs: number): Columns<CrawlRow> => [
  counts('Verified', ({ verified }) => verified),
  counts('Spoofed', ({ spoofed }) => spoofed),
  counts('Unverified', ({ unverified }) => unverified),
  counts('Read', ({ ok }) => ok),
  counts('Redirected', ({ redirected }) => redirected),
  counts('Refused', ({ refused }) => refused),
  counts('Failed', ({ failed }) => failed),
  lastColumn(nowMs, ({ last_at: at }) => at),
];

/** Counts by bot. `link` leads to the page of a bot. */
export function botColumns(nowMs: number, link: (bot: string) => string): Columns<CrawlRow> {
  return [
    {
      title: 'Bot',
      cell: ({ bot_name: name }) => html`<a href="${link(name ?? '')}">${name ?? ''}</a>`,
    },
    { title: 'Company', cell: (row) => row.bot_company ?? '' },
    { title: 'Reads for', cell: ({ category }) => readsFor(category) },
    ...verdicts(nowMs),
  ];
}

export const pageColumns = (nowMs: number): Columns<CrawlRow> => [
  { title: 'Page', cell: address },
  ...verdicts(nowMs),
];

export const dayColumns = (nowMs: number): Columns<CrawlRow> => [
  { title: 'Day', cell: ({ date }) => shortDay(date ?? '', nowMs) },
  ...verdicts(nowMs),
];

export const lagColumns = (
  nowMs: number,
  answerLink: (runId: string) => string | undefined,
): Columns<PageLag> => [
  {
    title: 'Page',
    cell: ({ page }) => html`<span class="path">${page}</span>`,
    csv: ({ page }) => page,
  },
  texts('Engine', ({ engine }) => engine),
  day(nowMs)('First read', ({ first_read_at: at }) => at),
  {
    title: 'Cited since',
    cell: ({ first_cited_on: on, was_cited_before: wasBefore }) =>
      on === null
        ? wasBefore
          ? 'only before'
          : 'waits'
        : [wasBefore && 'again ', shortDay(on, nowMs)],
    csv: ({ first_cited_on: on }) => on,
  },
  counts('Days', ({ days }) => days),
  day(nowMs)('Last read', ({ last_read_at: at }) => at),
  day(nowMs)('Last refused', ({ last_refused_at: at }) => at),
  counts('Fetched for people', ({ fetches }) => fetches),
  counts('People', ({ people }) => people),
  {
    title: 'Fetched for an answer',
    cell: ({ proofs, last_proof: last }) => {
      if (last === null) return '';
      const href = answerLink(last.run_id);
      const when = shortMinute(last.run_at, nowMs);
      const answer = href === undefined ? when : html`<a href="${href}">${when}</a>`;
      return html`${last.bot_name}, for the answer of ${answer}${proofs > 1 && `, the last of ${thousands(proofs)}`}`;
    },
    csv: ({ last_proof: last }) => last?.run_id ?? null,
  },
];

/** `ChatGPT takes 7 days in the median (95 % interval: 4 to 9): 12 of 13 pages are cited, 1 waits.` */
export function lagWords({ engine, pages, cited, waiting, median, low, high }: EngineLag): string {
  const range = `${low ?? 0} to ${high ?? 'more'}`;
  const takes =
    median === null
      ? `${engine}:`
      : `${engine} takes ${plural(median, 'day')} in the median (95 % interval: ${range}):`;
  return `${takes} ${thousands(cited)} of ${amount(pages, 'page')} that it had not cited before ${cited === 1 ? 'is' : 'are'} cited, ${thousands(waiting)} ${waiting === 1 ? 'waits' : 'wait'}. `;
}

export const referralColumns = (nowMs: number): Columns<ReferralCount> => [
  addressColumn,
  { title: 'Engine', cell: ({ engine }) => engineName(engine), csv: ({ engine }) => engine },
  counts('People', ({ referrals }) => referrals),
  day(nowMs)('Last', ({ last_date: date }) => date),
];

const purposes = {
  crawler: 'training or a corpus',
  search: 'an index that answers cite',
  user: 'a person who asked',
} as const satisfies Record<NonNullable<CrawlRow['category']>, string>;

/** The purpose of a bot's requests, in words. */
export function readsFor(category: CrawlRow['category']): string {
  return category === null ? '' : purposes[category];
}

function lastColumn<Row>(nowMs: number, at: (row: Row) => string): Column<Row> {
  return { title: 'Last', cell: (row) => shortMinute(at(row), nowMs), csv: at };
}

/** The columns of the latest requests. Leaves out evidence if the page may not show it. */
export function hitColumns(
  nowMs: number,
  link: (bot: string) => string,
  { hasEvidence }: { hasEvidence: boolean },
): Columns<LatestHit> {
  const evidence: Column<LatestHit> = {
    title: 'Why',
    cell: (hit) => {
      const { reason, facts } = whyWords(hit);
      return html`${ownWords(reason)}${facts !== '' && html` (${facts})`}`;
    },
    csv: (hit) => {
      const { reason, facts } = whyWords(hit);
      return facts === '' ? reason : `${reason} (${facts})`;
    },
  };
  return [
    { title: 'When', cell: (row) => shortMinute(row.hit_at, nowMs), csv: (row) => row.hit_at },
    {
      title: 'Bot',
      cell: ({ bot_name: name }) => html`<a href="${link(name)}">${name}</a>`,
      csv: (row) => row.bot_name,
    },
    addressColumn,
    { title: 'Status', cell: (row) => row.status ?? 'not logged', csv: (row) => row.status },
    {
      title: 'Verdict',
      cell: ({ verification }) => html`<span class="tag">${verification}</span>`,
      csv: ({ verification }) => verification,
    },
    ...(hasEvidence ? [evidence] : []),
  ];
}

/** Explains the verdict of a request with its evidence. */
function whyWords(hit: LatestHit): { reason: string; facts: string } {
  const evidence = shownEvidence(hit);
  if (evidence === undefined) return { reason: 'imported, without evidence', facts: '' };
  const { reason, list, prefix, host_name: name, agent, detail } = evidence;
  const facts = [list, prefix, name, agent, detail].filter((fact) => fact !== undefined);
  return { reason: reasons[reason], facts: facts.join(', ') };
}

const conclusions = {
  obeyed: 'obeyed',
  ignored: 'ignored',
  not_restricted: 'nothing was forbidden',
  unknown: 'not known',
} as const satisfies Record<BotConduct['conclusion'], string>;

/** How each bot follows robots.txt, by its verified requests. */
export const conductColumns = (nowMs: number): Columns<BotConduct> => [
  texts('Bot', (row) => row.bot_name),
  texts('Site', ({ host }) => host),
  {
    title: 'Rules',
    cell: ({ conclusion, first_ignored: first, ignores_by_policy: isPolicy }) =>
      html`${conclusions[conclusion]}${
        first !== null &&
        html`<span class="hint">
          first ${address({ host: null, path: first.path })},
          ${shortMinute(first.hit_at, nowMs)}${isPolicy && '; its operator says that robots.txt may not apply to it'}
        </span>`
      }`,
    csv: ({ conclusion }) => conclusion,
  },
  {
    title: 'Asked for robots.txt',
    cell: ({ asked }) => (asked === null ? 'no need' : asked ? 'yes' : 'never'),
    csv: ({ asked }) => (asked === null ? null : asked ? 'yes' : 'never'),
  },
  counts('Allowed', ({ verified }) => verified.allowed),
  counts('Disallowed', ({ verified }) => verified.disallowed),
  counts('In doubt', ({ verified }) => verified.unclear),
  counts('No file of that time', ({ verified }) => verified.unknown),
  counts('Disallowed, unverified', ({ unverified }) => unverified.disallowed),
];
