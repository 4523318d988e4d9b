import type { ShareRow } from '@overheard/contract';
import type { ListedGap } from '../../../answers/actions/gap-list.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { Trend } from '../../../reports/shares/trend.ts';
import { withEngineNames } from '../../../values/engine.ts';
import { percent } from '../../../values/figure-words.ts';
import { amount, plural, thousands } from '../../../values/plural.ts';
import { drawTrend } from '../../charts/trend.ts';
import { changeCell, intervalWords, rateFigure, sovCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import { fold } from '../../parts/fold.ts';
import { lineupPart, sampleSentence } from '../../parts/lineup.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { story, storyLines, sub } from '../../parts/story.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { nextPart } from '../../parts/todo.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';

/** The story, the brand beside its best rival, and what to do next. */
export function heroPart(
  context: WorkspaceContext,
  {
    overview,
    view,
    gaps,
  }: { overview: OverviewPage; view: PageView; gaps: readonly ListedGap[] | undefined },
): Content {
  const { brand } = overview;
  if (brand === null) return undefined;
  const against = againstWords(overview, view);
  const samples = overview.engines.length < 2 ? 'sample' : 'sample engine-samples';
  const { rival } = overview;
  return html`<div class="hero">
    ${story(overview.story.headline, samples)}
    ${lineupPart(brand, rival)}
    ${context.shared === undefined ? sub(overview.story.lines, samples) : storyLines(overview.story.lines, gapLine(overview.gaps), samples)}
    <section class="chart" aria-label="Trend">
      ${
        overview.firstDays === undefined
          ? trendPart(overview, { brand, view, against })
          : html`<p class="hint">${sampleSentence(brand)}</p>
              ${fold('How sure', surePart(overview, brand, against))}`
      }
      ${surfaceNote(context, overview.surfaces)}
    </section>
    ${gaps !== undefined && nextPart(context, gaps, html`<a href="${viewLink(context, 'gaps')}">All ${plural(overview.gaps.open, 'gap')}</a>`)}
  </div>`;
}

/** What is being done, for someone who only reads the first lines. */
function gapLine({ open, inProgress }: OverviewPage['gaps']): string | undefined {
  if (open + inProgress === 0) return undefined;
  if (open === 0) return `No gap is open; ${inProgress} in progress.`;
  const work = inProgress === 0 ? 'none is being worked on' : `${inProgress} more in progress`;
  return `${plural(open, 'gap')} open; ${work}.`;
}

function trendPart(
  overview: OverviewPage,
  { brand, view, against }: { brand: ShareRow; view: PageView; against: string },
): Html {
  const period = view.weeks === undefined ? 'this period' : `these ${view.weeks} weeks`;
  const { trends, marks, rival } = overview;
  return drawTrend({
    buckets: trends.total.buckets,
    title: `Answers in which ${brand.name} appears, ${bucketWords(trends.total)}`,
    name: brand.name,
    rival: rival === null ? undefined : { name: rival.name, buckets: trends.rival },
    now: { from: view.period.from, words: period },
    marks,
    sentence: html`${sampleSentence(brand)}<br />The band is the 95 % interval. “No real change”: a
      difference this small also comes about by chance.`,
    details: surePart(overview, brand, against),
  });
}

/** The figures with their intervals, and over which answers the change was computed. */
function surePart({ subjects, correlation }: OverviewPage, brand: ShareRow, against: string): Html {
  const { sov, sov_low: low, sov_high: high } = brand;
  const noShare = subjects.length > 1 ? 'no tracked name appears' : 'a share needs a competitor';
  return facts([
    ['Appears in', rateFigure(brand)],
    [
      'Share of voice',
      sov === null
        ? noShare
        : html`${sovCell(brand)} <span class="scale">${intervalWords(low, high)}</span>
            ${changeCell(brand, 'sov')}`,
    ],
    ['Compared', comparedWords(brand, against)],
    [
      'Alike',
      correlation !== undefined &&
        `Two answers to one prompt correlate by ${correlation.toFixed(2)}; at 1, asking again says nothing new.`,
    ],
  ]);
}

/** The answers of the change, because its rates are not of all answers. */
function comparedWords(brand: ShareRow, against: string): Content {
  const { runs, runs_compared: compared, rate_before: before, rate_compared: now } = brand;
  if (compared === 0) return `No answers can be compared with ${against}.`;
  const rates =
    before === null || now === null ? '' : `: ${percent(before)} before, ${percent(now)} now`;
  return html`<span data-n="${compared}"
      >${thousands(compared)} of ${amount(runs, 'answer')}, to
      ${plural(brand.prompts_compared, 'prompt')}, can be compared with ${against}${rates}.</span
    >${brand.not_compared !== null && ` Left out: ${withEngineNames(brand.not_compared)}.`}`;
}

/** The period that a page of figures compares with. */
export function againstWords(
  { before }: Pick<OverviewPage, 'before'>,
  { weeks }: PageView,
): string {
  return weeks === undefined ? periodWords(before) : `the ${weeks} weeks before`;
}

export function bucketWords({ days }: Pick<Trend, 'days'>): string {
  return { 1: 'by day', 7: 'by week', 28: 'in 4 weeks each' }[days] ?? '';
}
