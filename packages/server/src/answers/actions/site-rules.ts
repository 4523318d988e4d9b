import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { findChainEnds, hostOfPage } from '../../storage/counts/chain-ends.ts';
import { readOwnPages } from '../../storage/counts/own-pages.ts';
import type { OwnPage } from '../../storage/counts/own-pages.ts';
import type { DataTables } from '../../storage/schema.ts';
import { createPageOwners } from '../../values/sites/page-owners.ts';
import { siteOf } from '../../values/sites/site.ts';
import { plural } from '../../values/plural.ts';
import { dayMs, endOfDay, startOfDay, utcDay } from '../../values/time/utc-day.ts';
import { domainHost } from '../../values/sites/web-host.ts';
import type { TrackedSubject } from '../subjects.ts';
import { runsMin } from './drops.ts';
import { stepsForRefused, stepsForUncited, stepsForUnread } from './fix-steps.ts';
import type { FoundGap } from './gap-kinds.ts';
import { shorten, topWords } from './gap-words.ts';
import { stakeOf } from './impact.ts';
import type { Days } from '../../storage/queries/action-parts.ts';
import { readPathFacts } from '../../storage/bits/path-bits.ts';

/** Bots read the page at least this often, and this many answered runs could have cited it. */
const readsMin = 5;
const answeredMin = 50;
/** A log that ends earlier than this cannot prove that bots stopped reading the site. */
const loggedDays = 7;
const pagesShown = 5;

interface SiteWindow {
  readonly days: Days;
  readonly subjects: readonly TrackedSubject[];
}

/** Reads the brand's own pages in the requests of bots and in answers. */
export async function readBrandPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, subjects }: Pick<SiteWindow, 'days' | 'subjects'>,
): Promise<OwnPage[]> {
  const ownerOf = createPageOwners(subjects);
  const { domains = [] } = subjects.find(({ type }) => type === 'brand') ?? {};
  return readOwnPages(db, workspaceId, {
    ...days,
    isOwn: (address, host) => subjects[ownerOf(address, host) ?? -1]?.type === 'brand',
    hostUnnamed: domains.length === 1 ? domainHost(domains[0] ?? '') : undefined,
  });
}

/**
 * Finds the brand's own pages that answers cite but bots no longer request, with one gap per page.
 * Also finds own pages that bots read for answers but no answer cites, with one action per
 * site.
 */
export async function findChainGaps(
  db: Kysely<DataTables>,
  workspaceId: string,
  window: SiteWindow,
): Promise<FoundGap[]> {
  const pages = await readBrandPages(db, workspaceId, window);
  const { uncited, unread } = findChainEnds(pages);
  const { answered } = await db
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('answered'))
    .where('workspace_id', '=', workspaceId)
    .where('run_at', '>=', startOfDay(window.days.from))
    .where('run_at', '<', endOfDay(window.days.to))
    .where('outcome', '=', 'answered')
    .executeTakeFirstOrThrow();
  const often = uncited.filter(({ readsForAnswers }) => readsForAnswers >= readsMin);
  const sites = Map.groupBy(often, ({ page }) => siteOf(hostOfPage(page)));
  return [
    ...findUnread(pages, unread, window),
    ...(answered < answeredMin
      ? []
      : [...sites].map(([site, ofSite]) => toUncited(site, ofSite, { pages, ...window }))),
  ];
}

function findUnread(
  pages: readonly OwnPage[],
  unread: readonly OwnPage[],
  { days }: SiteWindow,
): FoundGap[] {
  const recent = utcDay(Date.parse(days.to) - (loggedDays - 1) * dayMs);
  const logged = new Set(
    pages.flatMap(({ page, lastRequestedAt }) =>
      (lastRequestedAt ?? '') >= recent ? [hostOfPage(page)] : [],
    ),
  );
  const citing = new Set(pages.flatMap(({ runs }) => runs)).size;
  return unread.flatMap(({ page, runs, lastRequestedAt }) => {
    const isKnown = runs.length >= runsMin && logged.has(hostOfPage(page));
    if (!isKnown || lastRequestedAt === null) return [];
    return {
      kind: 'not read',
      about: [page],
      recommendation: `Get ${shorten(page, 200)} read again: ${plural(runs.length, 'answer')} from ${days.from} to ${days.to} cite it, and no verified AI crawler has requested it since ${lastRequestedAt.slice(0, 10)}.`,
      steps: stepsForUnread(page, lastRequestedAt),
      stake: stakeOf({ part: runs.length, whole: citing }, 1 / 10),
      filter: { ownPages: [page] },
    };
  });
}

function toUncited(
  site: string,
  uncited: readonly OwnPage[],
  { pages, days }: SiteWindow & { readonly pages: readonly OwnPage[] },
): FoundGap {
  const ofSite = pages.filter(({ page }) => siteOf(hostOfPage(page)) === site);
  const sum = (some: readonly OwnPage[]) =>
    some.reduce((total, { readsForAnswers }) => total + readsForAnswers, 0);
  const counts = uncited.map(
    ({ page, readsForAnswers }) => [shorten(page, 100), readsForAnswers] as const,
  );
  return {
    kind: 'not cited',
    about: [site],
    recommendation: `Make ${uncited.length === 1 ? 'a page' : `${uncited.length} pages`} of ${site} worth citing: from ${days.from} to ${days.to} verified bots that read for answers read ${uncited.length === 1 ? 'it' : 'them'}, and no answer cites ${uncited.length === 1 ? 'it' : 'them'}: ${topWords(counts, pagesShown)}.`,
    steps: stepsForUncited(counts),
    stake: stakeOf({ part: sum(uncited), whole: sum(ofSite) }),
    range: 'reads',
    filter: { ownPages: uncited.map(({ page }) => page) },
  };
}

/**
 * A path is blocked from this many refused requests on, if they make at least this share of all.
 */
const refusedMin = 5;

/** The page is gone (404, 410), or everybody must sign in (401): the bot is not blocked. */
const unblocked: readonly number[] = [401, 404, 410];

/** What a gap says about the 403 of ordinary visitors. */
const forbiddenWords = {
  everybody: '',
  bots: ' Visitors got the page on the days on which it got 403.',
  unknown: ' It is not known whether other visitors get 403 there, too.',
};

/** Whether a bot that got this status was refused. */
export function isRefused(status: number | null): boolean {
  return status !== null && status >= 400 && status <= 599 && !unblocked.includes(status);
}

const refusedSql = sql<boolean>`(status between 400 and 599 and status not in (${sql.join(unblocked)}))`;

/**
 * Finds paths that refused a verified AI crawler: with 4xx or 5xx on at least 5, and at least half,
 * of its requests in the window. A 403 that visitors got, too, is no refusal. The same path on two sites
 * counts as two paths.
 */
export async function findBlocked(
  db: Kysely<DataTables>,
  workspaceId: string,
  days: Days,
): Promise<FoundGap[]> {
  const verified = db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .where('verification', '=', 'verified')
    .where('hit_at', '>=', startOfDay(days.from))
    .where('hit_at', '<', endOfDay(days.to));
  const refused = sql<number>`sum(case when ${refusedSql} then 1 else 0 end)`;
  const countOf = (statuses: RawBuilder<unknown>) =>
    sql<number>`sum(case when ${statuses} then 1 else 0 end)`;
  const lastRefusedAt = sql<string>`max(case when ${refusedSql} then hit_at end)`;
  const paths = await verified
    .select(['bot_name', 'bot_company', 'category', 'host', 'path'])
    .select((query) => [query.fn.countAll<number>().as('requests'), refused.as('refused')])
    .select([
      countOf(sql`status = 403`).as('forbidden'),
      countOf(sql`status = 429`).as('limited'),
      countOf(sql`status >= 500`).as('failed'),
      lastRefusedAt.as('lastRefusedAt'),
    ])
    .groupBy(['bot_name', 'bot_company', 'category', 'host', 'path'])
    .having(refused, '>=', refusedMin)
    .orderBy('bot_name')
    .orderBy('host', (order) => order.asc().nullsFirst())
    .orderBy('path')
    .execute();
  const forbiddenTo = await findForbidden(db, workspaceId, days);
  return paths
    .map((row) => {
      const to = row.forbidden === 0 ? undefined : forbiddenTo(row);
      const excused = to === 'everybody' ? row.forbidden : 0;
      return { ...row, to, refused: row.refused - excused, forbidden: row.forbidden - excused };
    })
    .filter((row) => row.refused >= refusedMin && 2 * row.refused >= row.requests)
    .map((row) => {
      const { bot_name: bot, bot_company: company, host, path } = row;
      const page = shorten(`${host ?? ''}${path}`, 200);
      // A server that fails is nobody's choice.
      const isChoice = row.category === 'crawler' && 2 * row.failed < row.refused;
      const head = isChoice
        ? `Decide whether ${bot} of ${company} may read ${page} for training`
        : `Let ${bot} of ${company} read ${page}`;
      const choice = isChoice ? ' If you chose to refuse it, dismiss this.' : '';
      const others = row.to === undefined ? '' : forbiddenWords[row.to];
      return {
        kind: 'blocked',
        about: [bot, host, path],
        recommendation: `${head}: ${row.refused} of its ${row.requests} verified requests from ${days.from} to ${days.to} were refused with 4xx or 5xx.${others}${choice}`,
        steps: stepsForRefused(bot, { ...row, isChoice }),
        stake: stakeOf({ part: row.refused, whole: row.requests }),
        range: isChoice ? 'choices' : row.category === 'crawler' ? 'refusedCorpus' : 'refused',
        filter: { request: { bot, host, path } },
      };
    });
}

/** A page that a bot requested. */
interface BotPage {
  readonly bot_name: string;
  readonly host: string | null;
  readonly path: string;
}

/**
 * Who gets 403 for a page: `everybody` if ordinary visitors got 401 or 403 and none a status under 400,
 * `bots` if visitors got the page, else `unknown`. Only the UTC days count on which the bot got 403: on
 * others, the page may have been another one.
 */
type ForbiddenTo = 'everybody' | 'bots' | 'unknown';

/** Reads who gets 403 for the pages that forbid a verified bot: a function of a bot and a page. */
async function findForbidden(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: Days,
): Promise<(page: BotPage) => ForbiddenTo> {
  const rows = await db
    .selectFrom('hits')
    .select(['bot_name', 'host', 'path'])
    .select(({ fn, val }) => fn<string>('substr', ['hit_at', val(1), val(10)]).as('day'))
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('verification', '=', 'verified')
    .where('hit_at', '>=', startOfDay(from))
    .where('hit_at', '<', endOfDay(to))
    .where('status', '=', 403)
    .execute();
  const found = new Map<string, Set<ForbiddenTo>>();
  for (const [day, pages] of Map.groupBy(rows, (row) => row.day)) {
    const factsOf = await readPathFacts(db, workspaceId, Date.parse(day) / dayMs);
    for (const page of pages) {
      const all = found.get(keyOf(page)) ?? new Set();
      const { isGot, isRefused: isRefusedToAll } = factsOf(page);
      if (isGot === true) all.add('bots');
      if (isGot === undefined) all.add('unknown');
      if (isRefusedToAll === true) all.add('everybody');
      found.set(keyOf(page), all);
    }
  }
  return (page) => {
    const all = found.get(keyOf(page)) ?? new Set();
    if (all.has('bots')) return 'bots';
    return all.has('everybody') && !all.has('unknown') ? 'everybody' : 'unknown';
  };
}

function keyOf({ bot_name: bot, host, path }: BotPage): string {
  return JSON.stringify([bot, host, path]);
}
