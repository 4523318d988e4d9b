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
import { summaryPart } from './summary.ts';
import { enginesPart, trendPart } from './trend-part.ts';
import { citedPart, lostPart, movedPart } from './cited-part.ts';
import { scoresPart } from './scores.ts';
import { columnsOfFields, csvOf } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters } from '../../request/view.ts';
import { personOf } from '../../request/page-context.ts';
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
  const title = `How often engines cite ${filters.brandName ?? context.workspace.name}`;
  const days = `${periodWords(view.period)}, UTC.`;
  const content = html`${viewControls(context, view, { ...filters, hasCsv: brand !== null })}
  ${await newsOf(context)}
  ${brand === null ? withoutRuns(context, overview) : await withRuns(context, overview)}`;
  return { page: workspacePage(context, { title, lead: days, content }) };
}

async function withRuns(context: WorkspaceContext, overview: OverviewPage): Promise<Content> {
  const isFirst = overview.firstDays !== undefined && context.shared === undefined;
  return [
    summaryPart(context, overview),
    isFirst
      ? await firstAnswersPart(context, overview)
      : [trendPart(overview), enginesPart(context, overview)],
    citedPart(context, overview),
    lostPart(context, overview),
    movedPart(context, overview),
    overview.importedScores.length > 0 && scoresPart(context, overview),
  ];
}

/** Shows imported scores if there are no runs, or says that the filters match nothing. */
function withoutRuns(context: WorkspaceContext, overview: OverviewPage): Content {
  const { available, importedScores } = overview;
  return [
    available.runs !== undefined &&
      html`<p class="notice">
        No counted answer matches. The stored answers cover ${periodWords(available.runs)}.
      </p>`,
    importedScores.length > 0 && scoresPart(context, overview),
    importedScores.length === 0 &&
      available.runs === undefined &&
      html`<p class="notice">No imported score is in this period.</p>`,
  ];
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
