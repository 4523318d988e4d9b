import { shares } from '@overheard/contract';
import { lastVisit, noteVisit } from '../../../people/visits.ts';
import type { News } from '../../../reports/news.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { countFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { dayWords, periodWords } from '../../parts/moment-words.ts';
import { firstAnswersPart } from './first-answers.ts';
import { leadWords } from '../start/start.ts';
import { findSteps, stepsPart } from '../start/steps.ts';
import { heroPart } from './hero.ts';
import { enginesPart, lostPart, subjectsPart } from './tables.ts';
import { scoresPart } from './scores.ts';
import { columnsOfFields, csvOf } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';
import { mayShowTexts, personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

/** The overview: how often engines cite the brand, or what the workspace needs to show it. */
export const overviewRoutes: readonly WorkspaceRoute[] = [
  {
    method: 'GET',
    path: '/w/:slug',
    role: 'viewer',
    run: (context) => ({ redirect: `/w/${context.workspace.slug}/` }),
  },
  { method: 'GET', path: '/w/:slug/', role: 'viewer', dependsOn, run: showOverview },
];

export async function showOverview(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const overview = await context.reports.read('overview', {
    ...runFilters(view),
    today: utcDay(context.clock()),
  });
  if (isCsv)
    return csvOf(context, 'who-is-cited', columnsOfFields(shares.fields), overview.subjects);
  const { available, brand } = overview;
  if (available.runs === undefined && !available.hasScores) {
    if (context.shared !== undefined) {
      const content = html`<p class="notice">There are no answers yet.</p>`;
      return { page: workspacePage(context, { title: 'Overview', content }) };
    }
    const steps = await findSteps(context);
    const [lead, content] = [leadWords(steps), stepsPart(context, steps)];
    return { page: workspacePage(context, { title: 'Overview', lead, content }) };
  }
  const filters = await context.reports.read('filters', {});
  const against =
    view.weeks === undefined ? periodWords(overview.before) : `the ${view.weeks} weeks before`;
  const lead = `${periodWords(view.period)}, against ${against}`;
  const controls = viewControls(context, view, { ...filters, hasCsv: brand !== null });
  const content = html`${await newsOf(context)}
  ${brand === null ? withoutRuns(context, overview) : await withRuns(context, overview, view)}`;
  return { page: workspacePage(context, { title: 'Overview', lead, controls, content }) };
}

async function withRuns(
  context: WorkspaceContext,
  overview: OverviewPage,
  view: PageView,
): Promise<Content> {
  const isFirst = overview.firstDays !== undefined && context.shared === undefined;
  const open = mayShowTexts(context)
    ? await context.reports.read('gaps', {
        status: 'open',
        engine: view.engine,
        first: overview.story.fallen,
        rowsMax: 3,
      })
    : undefined;
  return [
    heroPart(context, { overview, view, gaps: open?.gaps }),
    isFirst ? await firstAnswersPart(context, overview) : enginesPart(context, overview, view),
    html`<div class="cols">${subjectsPart(context, overview)} ${lostPart(context, overview)}</div>`,
    overview.importedScores.length > 0 && scoresPart(overview),
    lastLine(context, overview),
  ];
}

/** Shows imported scores if there are no runs, or says that the filters match nothing. */
function withoutRuns(context: WorkspaceContext, overview: OverviewPage): Content {
  const { available, importedScores } = overview;
  return [
    available.runs !== undefined &&
      html`<p class="notice">
        No answer matches. The stored answers cover ${periodWords(available.runs)}.
      </p>`,
    importedScores.length > 0 && scoresPart(overview),
    importedScores.length === 0 &&
      available.runs === undefined &&
      html`<p class="notice">No imported score is in this period.</p>`,
    lastLine(context, overview),
  ];
}

/** One line about crawlers and the last answer. */
function lastLine(context: WorkspaceContext, { crawls, available }: OverviewPage): Html {
  const { verified, refused } = crawls;
  return html`<section>
    <p class="lead">
      <a href="${viewLink(context, 'crawlers')}">Crawlers</a>: genuine bots made
      ${countFigure(verified, 'request')}; ${refused === 0 ? 'none was' : countFigure(refused, 'was', 'were')} refused.
      ${available.runs !== undefined && html`<a href="${viewLink(context, 'answers')}">Last answer</a> on ${dayWords(available.runs.to)}.`}
    </p>
  </section>`;
}

async function lastVisitOf(context: WorkspaceContext) {
  const { clock, store } = context;
  const ids = {
    workspaceId: context.workspace.id,
    userId: personOf(context).user.id,
    today: utcDay(clock()),
  };
  return { ids, ...(await lastVisit(store.access, ids)) };
}

/** Also notes the visit, without delaying or failing the request. */
async function dependsOn(context: WorkspaceContext): Promise<unknown> {
  const { ids, day, isNoted } = await lastVisitOf(context);
  if (!isNoted) {
    setImmediate(() => void noteVisit(context.store.access, ids).catch(() => {}));
  }
  return day;
}

async function newsOf(context: WorkspaceContext): Promise<Content> {
  if (context.shared !== undefined) return undefined;
  const { day } = await lastVisitOf(context);
  return day !== null && newsPart(await context.reports.read('news', { since: day }));
}

/** Shows what is new since a person's last visit. */
function newsPart({ since, answers, requests, gapsFound, gapsDone }: News): Html {
  return html`<p class="notice">
    Since ${dayWords(since)}, the day of your last visit: ${countFigure(answers, 'answer')},
    ${countFigure(requests, 'crawler request')}, ${countFigure(gapsFound, 'new gap')},
    ${countFigure(gapsDone, 'gap')} done.
  </p>`;
}
