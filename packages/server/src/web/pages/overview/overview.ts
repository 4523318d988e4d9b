import { shares } from '@overheard/contract';
import type { ListedGap } from '../../../answers/actions/gap-list.ts';
import { lastVisit, noteVisit } from '../../../people/visits.ts';
import type { News } from '../../../reports/news.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { allows } from '../../../people/roles.ts';
import { newId } from '../../../values/uuid.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { countFigure, partFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { dayWords, periodWords } from '../../parts/moment-words.ts';
import { findSteps, leadWords, stepsPart } from '../start/start.ts';
import { searchNote } from '../../parts/surface-note.ts';
import { againstWords, heroPart } from './hero.ts';
import { enginesPart, lostPart, subjectsPart } from './tables.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';
import { get, mayShowTexts, personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import type { IntervalForecast } from '../../../values/statistics/forecast-interval.ts';
import { amount, plural } from '../../../values/plural.ts';
import { answerColumns } from '../answers/answer-columns.ts';
import type { ScoresOfEngine } from '../../../reports/period-report.ts';
import { engineName } from '../../../values/engine.ts';
import type { Columns } from '../../parts/table.ts';

/** The overview: how often engines cite the brand, or what the workspace needs to show it. */
export const overviewRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug', 'viewer', (context) => ({ redirect: `/w/${context.workspace.slug}/` })),
  get('/w/:slug/', 'viewer', showOverview, { dependsOn }),
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
      return workspacePage(context, { title: 'Overview', content });
    }
    const steps = await findSteps(context);
    const [lead, content] = [leadWords(steps), stepsPart(context, steps)];
    return workspacePage(context, { title: 'Overview', lead, content });
  }
  const filters = await context.reports.read('filters', {});
  const lead = `${periodWords(view.period)}, against ${againstWords(overview, view)}`;
  const controls = viewControls(context, view, { ...filters, hasCsv: brand !== null });
  const content = html`${await newsOf(context)}
  ${brand === null ? withoutRuns(context, overview) : await withRuns(context, overview, view)}`;
  const action = brand !== null && publishForm(context, view);
  return workspacePage(context, { title: 'Overview', lead, controls, action, content });
}

/** The button that publishes the figures, unless filters leave out what a report always has. */
function publishForm(context: WorkspaceContext, view: PageView): Content {
  const { engine, surface, locale, searched, tag = '', competitorPrompts, period } = view;
  const isWhole = [engine, surface, locale, searched].every((each) => each === undefined);
  if (!isWhole || competitorPrompts === 'exclude' || !allows(context.role, 'editor')) return false;
  const fields = { form: newId(context.clock), ...period, tag };
  return buttonForm(`/w/${context.workspace.slug}/reports`, fields, 'Publish');
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
  const engines = isFirst ? await firstAnswersPart(context, overview) : undefined;
  return figureParts(context, { overview, view, gaps: open?.gaps, engines });
}

/** The figures of an overview with runs, as they are now or were when they were published. */
export function figureParts(
  context: WorkspaceContext,
  {
    overview,
    view,
    gaps,
    engines = enginesPart(context, overview, view),
  }: {
    overview: OverviewPage;
    view: PageView;
    gaps?: readonly ListedGap[] | undefined;
    engines?: Content;
  },
): Content {
  return [
    heroPart(context, { overview, view, gaps }),
    engines,
    html`<div class="cols">${subjectsPart(context, overview)} ${lostPart(context, overview)}</div>`,
    overview.importedScores.length > 0 && scoresPart(overview),
    lastLine(context, overview),
  ];
}

/** Shows imported scores if there are no runs, or says that the filters match nothing. */
export function withoutRuns(context: WorkspaceContext, overview: OverviewPage): Content {
  const { available, importedScores, surfaces } = overview;
  return [
    available.runs !== undefined &&
      html`<p class="notice">
        No answer matches. The stored answers cover ${periodWords(available.runs)}.
      </p>`,
    searchNote(surfaces),
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

const answersShown = 10;

/** In the first week, in place of charts: what the answers can show, what not yet, and the answers. */
async function firstAnswersPart(
  context: WorkspaceContext,
  overview: OverviewPage,
): Promise<Content> {
  const { firstDays, brand } = overview;
  if (firstDays === undefined || brand === null) return undefined;
  const { rows } = await context.reports.read('answers', { rowsMax: answersShown });
  const days = firstDays.days === 1 ? 'day' : plural(firstDays.days, 'day');
  return html`<section id="first-answers">
      <h2>The first ${days} of answers</h2>
      <p>
        They show who appears, on which engine, in which sentence and with which sources. They do
        not show yet:
      </p>
      <ul>
        <li>
          <strong>How often, to within 10 points.</strong>
          ${intervalWords(firstDays.interval, overview.promptCount)}
        </li>
        <li>
          <strong>A change.</strong> From ${dayWords(firstDays.comparableFrom)} on, a week can be
          compared with the week before, for prompts that both weeks have: 10 or more.
        </li>
      </ul>
    </section>
    <section>
      <h2>Latest answers</h2>
      ${table({ caption: 'Latest answers', columns: answerColumns(context, {}), empty: '' }, rows)}
      <p><a href="/w/${context.workspace.slug}/answers">All answers</a></p>
    </section>`;
}

function intervalWords(forecast: IntervalForecast | undefined, prompts: number): string {
  if (forecast === undefined) return 'An interval needs answers to at least 5 prompts.';
  if ('prompts' in forecast) {
    return `About ${forecast.prompts} prompts asked for four weeks would, if as many answers come every day; there are ${prompts}. Answers to one prompt are so alike that more days alone are not enough.`;
  }
  if (forecast.moreDays === 0) return 'That is so already.';
  return `In about ${amount(forecast.moreDays, 'more day')}, if as many answers come every day.`;
}

const columns: Columns<ScoresOfEngine> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Days', cell: ({ days }) => plural(days, 'day') },
  {
    title: 'Appears in',
    cell: ({ citations, total_runs: runs }) => partFigure(citations, runs, 'answer'),
  },
];

/** Shows imported scores, and explains their limits. */
function scoresPart({ importedScores }: OverviewPage): Html {
  return html`<section>
    <h2>Imported scores</h2>
    ${table({ caption: 'Imported scores', columns, empty: '' }, importedScores)}
    <p class="hint">
      Scores hold how often you appeared on each engine and day. They can’t show how certain that is,
      whether it changed, who else appears, and for which prompts. Import the answers to see that.
    </p>
  </section>`;
}
