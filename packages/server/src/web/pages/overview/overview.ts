import { lastVisit, noteVisit } from '../../../people/visits.ts';
import type { News } from '../../../reports/news.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { countFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { dayWords, periodWords } from '../../parts/moment-words.ts';
import { nextSteps } from './next-steps.ts';
import { summaryPart } from './summary.ts';
import { enginesPart, trendPart } from './trend-part.ts';
import { citedColumns, citedPart, lostPart, movedPart } from './cited-part.ts';
import { scoresPart } from './scores.ts';
import { csvOf } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters } from '../../request/view.ts';
import { forMembers, personOf, workspaceOf } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';

/** The overview: how often engines cite the brand, or what the workspace needs to show it. */
export const overviewRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/w/:slug',
    role: 'viewer',
    run: (visit) => ({ redirect: `/w/${workspaceOf(visit).slug}/` }),
  },
  { method: 'GET', path: '/w/:slug/', role: 'viewer', dependsOn, run: showOverview },
];

export async function showOverview(visit: Visit): Promise<Result> {
  const { view, isCsv } = readView(visit);
  const overview = await visit.reports.read('overview', {
    ...runFilters(view),
    today: utcDay(visit.clock()),
  });
  if (isCsv) return csvOf(visit, 'who-is-cited', citedColumns(visit), overview.subjects);
  const { reach, brand } = overview;
  if (reach.runs === undefined && !reach.hasScores) {
    const lead = forMembers(
      visit,
      'What this workspace has, and what it needs to show how engines cite you.',
    );
    const content =
      visit.shared === undefined
        ? await nextSteps(visit)
        : html`<p class="notice">There are no answers yet.</p>`;
    return { page: workspacePage(visit, { title: 'Overview', lead, content }) };
  }
  const filters = await visit.reports.read('filters', {});
  const title = `How often engines cite ${filters.brandName ?? workspaceOf(visit).name}`;
  const days = `${periodWords(view.period)}, UTC.`;
  const content = html`${viewControls(visit, view, { ...filters, hasCsv: brand !== null })}
  ${await newsOf(visit)}
  ${brand === null ? withoutRuns(visit, overview) : withRuns(visit, overview)}`;
  return { page: workspacePage(visit, { title, lead: days, content }) };
}

function withRuns(visit: Visit, overview: OverviewPage): Content {
  return [
    summaryPart(visit, overview),
    trendPart(overview),
    enginesPart(visit, overview),
    citedPart(visit, overview),
    lostPart(visit, overview),
    movedPart(visit, overview),
    overview.importedScores.length > 0 && scoresPart(visit, overview),
  ];
}

/** Shows imported scores if there are no runs, or says that the filters match nothing. */
function withoutRuns(visit: Visit, overview: OverviewPage): Content {
  const { reach, importedScores } = overview;
  return [
    reach.runs !== undefined &&
      html`<p class="notice">
        No counted answer matches. The stored answers cover ${periodWords(reach.runs)}.
      </p>`,
    importedScores.length > 0 && scoresPart(visit, overview),
    importedScores.length === 0 &&
      reach.runs === undefined &&
      html`<p class="notice">No imported score is in this period.</p>`,
  ];
}

async function lastVisitOf(visit: Visit) {
  const { clock, store } = visit;
  const ids = {
    workspaceId: workspaceOf(visit).id,
    userId: personOf(visit).user.id,
    today: utcDay(clock()),
  };
  return { ids, ...(await lastVisit(store.access, ids)) };
}

/** Also notes the visit, without delaying or failing the request. */
async function dependsOn(visit: Visit): Promise<unknown> {
  const { ids, day, isNoted } = await lastVisitOf(visit);
  if (!isNoted) {
    setImmediate(() => void noteVisit(visit.store.access, ids).catch(() => {}));
  }
  return day;
}

async function newsOf(visit: Visit): Promise<Content> {
  if (visit.shared !== undefined) return undefined;
  const { day } = await lastVisitOf(visit);
  return day !== null && newsPart(await visit.reports.read('news', { since: day }));
}

/** Shows what is new since a person's last visit. */
function newsPart({ since, answers, requests, gapsFound, gapsDone }: News): Html {
  return html`<p class="notice">
    Since ${dayWords(since)}, the day of your last visit: ${countFigure(answers, 'answer')},
    ${countFigure(requests, 'crawler request')}, ${countFigure(gapsFound, 'new gap')},
    ${countFigure(gapsDone, 'gap')} done.
  </p>`;
}
