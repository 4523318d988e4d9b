import type { Kysely } from 'kysely';
import { findChainEnds, hostOfPage } from '../../../storage/counts/chain-ends.ts';
import { readOwnPages } from '../../../storage/counts/own-pages.ts';
import type { OwnPage } from '../../../storage/counts/own-pages.ts';
import type { DataTables } from '../../../storage/schema.ts';
import { createPageOwners } from '../../../values/sites/page-owners.ts';
import { siteOf } from '../../../values/sites/site.ts';
import { plural } from '../../../values/plural.ts';
import { dayMs, endOfDay, startOfDay, utcDay } from '../../../values/time/utc-day.ts';
import { contentId } from '../../../values/uuid.ts';
import { domainHost } from '../../../values/sites/web-host.ts';
import type { TrackedSubject } from '../../subjects.ts';
import type { FoundAction } from '../rules/found-action.ts';
import { impactScore, runsImpact, uncitedImpact } from '../rules/impact.ts';
import { runsMin, stakeOf } from '../rules/kinds.ts';
import { shorten, topWords } from '../rules/recommendation.ts';
import type { Days } from '../rules/window.ts';

/** Bots read the page at least this often, and this many answered runs could have cited it. */
const readsMin = 5;
const answeredMin = 50;
/** A log that ends earlier than this cannot prove that bots stopped reading the site. */
const loggedDays = 7;
const pagesShown = 5;

interface ChainWindow {
  readonly days: Days;
  readonly subjects: readonly TrackedSubject[];
  /** The mean number of counted runs of a prompt in the window. */
  readonly runsUsual: number;
}

/** Reads the brand's own pages in the requests of bots and in answers. */
export async function readBrandPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, subjects }: Pick<ChainWindow, 'days' | 'subjects'>,
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
 * Finds the brand's own pages that answers cite but bots no longer request, with one action per
 * page. Also finds own pages that bots read for answers but no answer cites, with one action per
 * site.
 */
export async function findChainActions(
  db: Kysely<DataTables>,
  workspaceId: string,
  window: ChainWindow,
): Promise<FoundAction[]> {
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
  { days, runsUsual }: ChainWindow,
): FoundAction[] {
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
    const stake = stakeOf({ part: runs.length, whole: citing }, 1 / 10);
    const impact = runsImpact(stake, runsUsual);
    return {
      id: contentId('action', ['not read', page]),
      kind: 'not read',
      promptId: null,
      recommendation: `Get ${shorten(page, 200)} read again: ${plural(runs.length, 'run')} from ${days.from} to ${days.to} cite it, and no verified AI crawler has requested it since ${lastRequestedAt.slice(0, 10)}.`,
      impact: impactScore(impact),
      sov: null,
      parts: { ...impact, days, stake, filter: { ownPages: [page] } },
    };
  });
}

function toUncited(
  site: string,
  uncited: readonly OwnPage[],
  { pages, days }: ChainWindow & { readonly pages: readonly OwnPage[] },
): FoundAction {
  const ofSite = pages.filter(({ page }) => siteOf(hostOfPage(page)) === site);
  const sum = (some: readonly OwnPage[]) =>
    some.reduce((total, { readsForAnswers }) => total + readsForAnswers, 0);
  const stake = stakeOf({ part: sum(uncited), whole: sum(ofSite) });
  const impact = uncitedImpact(stake);
  const counts = uncited.map(
    ({ page, readsForAnswers }) => [shorten(page, 100), readsForAnswers] as const,
  );
  return {
    id: contentId('action', ['not cited', site]),
    kind: 'not cited',
    promptId: null,
    recommendation: `Make ${uncited.length === 1 ? 'a page' : `${uncited.length} pages`} of ${site} worth citing: from ${days.from} to ${days.to} verified bots that read for answers read ${uncited.length === 1 ? 'it' : 'them'}, and no answer cites ${uncited.length === 1 ? 'it' : 'them'}: ${topWords(counts, pagesShown)}.`,
    impact: impactScore(impact),
    sov: null,
    parts: { ...impact, days, stake, filter: { ownPages: uncited.map(({ page }) => page) } },
  };
}
