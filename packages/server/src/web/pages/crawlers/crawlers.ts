import { z } from 'zod';
import { crawls } from '@overheard/contract';
import type { HitFilter, HitTotals } from '../../../reports/hits/hit-totals.ts';
import { allows } from '../../../people/roles.ts';
import { countFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { accessDays, accessStory, clientAddressList, cures } from './access-part.ts';
import { botPart } from './bot-part.ts';
import { crawlerTable, shows } from './crawler-table.ts';
import type { CrawlerTable } from './crawler-table.ts';
import { whatIfRoute } from './what-if.ts';
import { listReceivers } from '../../../access/receivers.ts';
import { receiverTable } from '../../parts/receiver-table.ts';
import { titleLine } from '../../parts/title-line.ts';
import { logForm } from '../../parts/log-form.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { tabs } from '../../parts/tabs.ts';
import { viewControls } from '../../parts/view-controls.ts';
import type { Controls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';
import { forMembers, get, pathPart } from '../../request/page-context.ts';
import type {
  PageContext,
  Result,
  WorkspaceContext,
  WorkspaceRoute,
} from '../../request/page-context.ts';
import { addressWords } from '../../../reports/hits/address-verdicts.ts';
import type { AddressVerdicts } from '../../../reports/hits/address-verdicts.ts';
import { hasOperatorLists } from '../../../reports/operator-lists.ts';

/**
 * The page of crawlers: which bots read the sites, what they could not read, and one bot in detail.
 */
export const crawlersRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/crawlers', 'viewer', showCrawlers, { dependsOn: receiversOf }),
  get('/w/:slug/crawlers/:bot', 'viewer', showCrawlers, { dependsOn: receiversOf }),
  whatIfRoute,
];

/** The page also depends on lines that arrive and change no hit. */
function receiversOf({ store, workspace }: WorkspaceContext) {
  return listReceivers(store.access, { workspaceId: workspace.id });
}

const { host, bot_name } = crawls.query.shape;
export const crawlerParameters = { by: z.enum(shows).optional(), host, bot_name };

export async function showCrawlers(context: WorkspaceContext): Promise<Result> {
  const { view, parameters, isCsv } = readView(context, crawlerParameters);
  const bot = pathPart(context, 'bot');
  const isOne = bot !== '';
  const filter: HitFilter = {
    ...view.period,
    host: parameters.host,
    botName: isOne ? bot : parameters.bot_name,
  };
  const tableName = parameters.by ?? (isOne ? 'refused' : 'engines');
  const listing = await crawlerTable(context, filter, { tableName, isCsv });
  if ('download' in listing) return listing;
  const totals = await context.reports.read('hitTotals', filter);
  const about = isOne ? await botPart(context, bot, totals) : undefined;
  const path = isOne ? `crawlers/${encodeURIComponent(bot)}` : 'crawlers';
  const addresses = await context.reports.read('addressVerdicts', view.period);
  const { to } = view.period;
  const access = isOne
    ? undefined
    : await context.reports.read('engineAccess', { to, host: filter.host });
  const content = html`${access !== undefined && accessStory(access)} ${forMembers(context, html`${addressBanner(addresses)} ${totals.hits > 0 && (await listsBanner(context))}`)}
  ${about} ${summary(context, totals)} ${access !== undefined && cures(access)}
  ${tablesPart(context, { path, filter, tableName, isOne })}
  ${access !== undefined && tableName === 'engines' && accessDays(access, view.period)} ${listing.page}
  ${!isOne && (await arrivals(context))}`;
  const controls = await controlsOf(context, { view, filter, tableName, isOne });
  const lead = `${periodWords(view.period)}, UTC.`;
  return workspacePage(context, { title: isOne ? bot : 'Crawlers', lead, controls, content });
}

interface Place {
  readonly path: string;
  readonly filter: HitFilter;
  readonly tableName: CrawlerTable;
  readonly isOne: boolean;
}

/** The page's own parameters, to be kept by its links. */
function ownParameters({
  filter,
  tableName,
  isOne,
}: Omit<Place, 'path'>): Record<string, string | undefined> {
  const { host: site, botName } = filter;
  return { by: tableName, host: site, bot_name: isOne ? undefined : botName };
}

async function controlsOf(
  context: WorkspaceContext,
  { view, ...place }: Omit<Place, 'path'> & { readonly view: PageView },
): Promise<Controls> {
  const names = async (of: 'host' | 'bot_name') =>
    (await context.reports.read('names', { of })).map((name) => [name, name] as const);
  const { filter } = place;
  const site = { name: 'host', label: 'Site', all: 'All sites', value: filter.host };
  const bot = { name: 'bot_name', label: 'Bot', all: 'All bots', value: filter.botName };
  return viewControls(context, view, {
    hasCsv: true,
    parameters: ownParameters(place),
    filters: [
      { ...site, options: await names('host') },
      ...(place.isOne ? [] : [{ ...bot, options: await names('bot_name') }]),
    ],
  });
}

function summary(context: WorkspaceContext, totals: HitTotals): Content {
  const { hits, bots, verified, spoofed, unverified, refused, failed } = totals;
  if (hits === 0) return noHits(context);
  return html`<p class="counts">
    ${countFigure(hits, 'request')} of ${countFigure(bots, 'bot')}:
    ${countFigure(verified, 'verified', 'verified')},
    ${countFigure(unverified, 'unverified', 'unverified')},
    ${countFigure(spoofed, 'spoofed', 'spoofed')}; ${countFigure(refused, 'refused', 'refused')},
    ${countFigure(failed, 'failed', 'failed')} with another 4xx or 5xx.
  </p>`;
}

/** How lines arrive, for members. */
async function arrivals(context: WorkspaceContext): Promise<Content> {
  const all = await receiversOf(context);
  const live = all.filter((receiver) => receiver.ended_at === null);
  return forMembers(
    context,
    live.length > 0 &&
      html`<section>
        ${titleLine('How log lines arrive', html`<a href="/w/${context.workspace.slug}/settings/receivers">Receivers</a>`)}
        ${receiverTable(context, live)}
      </section>`,
  );
}

/** Explains why there are no hits, and takes a log. */
function noHits(context: WorkspaceContext): Html {
  return html`<section>
    <h2>No request of a bot in this time</h2>
    ${forMembers(
      context,
      html`<p class="hint">
          Choose more weeks or fewer filters. Requests come from your access logs. To read a log
          as it grows, <code>overheard hits ingest --follow</code> runs beside your server. Without a
          log file,
          <a href="/w/${context.workspace.slug}/settings/receivers">your host sends its lines</a>.
        </p>
        ${allows(context.role, 'editor') && logForm(context)}`,
    )}
  </section>`;
}

const titles = {
  engines: 'Engines',
  refused: 'Refused',
  bot: 'Bots',
  page: 'Pages',
  cited: 'Read to cited',
  day: 'Days',
  robots: 'robots.txt',
  people: 'People from answers',
  request: 'Latest requests',
} as const satisfies Record<CrawlerTable, string>;

function tablesPart(context: WorkspaceContext, { path, ...place }: Place): Html {
  const { tableName, isOne } = place;
  const listed = shows.filter(
    (each) => !isOne || !['engines', 'bot', 'people', 'cited'].includes(each),
  );
  return tabs(
    'What is listed',
    listed.map((each) => ({
      words: titles[each],
      isOn: each === tableName,
      href: viewLink(context, path, { ...ownParameters(place), by: each }),
    })),
  );
}

/** Says why most requests are not verified by their addresses, if so. */
function addressBanner(verdicts: AddressVerdicts): Content {
  const words = addressWords(verdicts);
  if (words === undefined) return undefined;
  return html`<section class="notice warn" aria-label="Verified addresses">
    <p>${words.sentence}</p>
    ${
      words.isProxy &&
      html`<p>Let the server log the client’s address:</p>
        ${clientAddressList()}`
    }
  </section>`;
}

/** Says that requests wait for the operators' address lists, if no list is installed. */
async function listsBanner({ store }: PageContext): Promise<Content> {
  if (await hasOperatorLists(store.reader)) return undefined;
  return html`<p class="notice warn">
    No address list of the crawlers’ operators is installed yet, so most requests cannot be verified.
    A server that reaches the internet fetches the lists within an hour, and then judges these
    requests again. <code>overheard ranges update</code> fetches them now.
  </p>`;
}
