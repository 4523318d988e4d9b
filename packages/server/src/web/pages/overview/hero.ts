import type { ShareRow } from '@overheard/contract';
import type { ListedGap } from '../../../answers/actions/gap-list.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { Trend } from '../../../reports/shares/trend.ts';
import { withEngineNames } from '../../../values/engine.ts';
import { percent } from '../../../values/figure-words.ts';
import { amount, plural, thousands } from '../../../values/plural.ts';
import { drawTrend } from '../../charts/trend.ts';
import { changeCell, intervalWords, rateCell, rateFigure, sovCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import { fold } from '../../parts/fold.ts';
import { gapSentences } from '../../parts/gap-sentences.ts';
import { lineup } from '../../parts/lineup.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { story, storyLines, sub } from '../../parts/story.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { titleLine } from '../../parts/title-line.ts';
import { todoList } from '../../parts/todo.ts';
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
  const period = view.weeks === undefined ? 'this period' : `these ${view.weeks} weeks`;
  const against =
    view.weeks === undefined ? periodWords(overview.before) : `the ${view.weeks} weeks before`;
  const samples = overview.engines.length < 2 ? 'sample' : 'sample engine-samples';
  const { rival } = overview;
  return html`<div class="hero">
    ${story(overview.story.headline, samples)}
    ${lineup(
      [
        { label: `${brand.name} appears in`, figure: rateCell(brand), isOwn: true },
        ...(rival === null
          ? []
          : [{ label: `Best rival, ${rival.name}`, figure: rateCell(rival) }]),
      ],
      changesOf(brand, rival),
    )}
    ${context.shared === undefined ? sub(overview.story.lines, samples) : storyLines(overview.story.lines, gapLine(overview.gaps), samples)}
    <section class="chart" aria-label="Trend">
      ${
        overview.firstDays === undefined
          ? trendPart(overview, { brand, view, period, against })
          : html`<p class="hint">${sampleSentence(brand)}</p>
              ${fold('How sure', surePart(overview, brand, against))}`
      }
      ${surfaceNote(overview.surfaces)}
    </section>
    ${gaps !== undefined && nextPart(context, gaps, overview.gaps.open)}
  </div>`;
}

/** What is being done, for someone who only reads the first lines. */
function gapLine({ open, inProgress }: OverviewPage['gaps']): string | undefined {
  if (open + inProgress === 0) return undefined;
  const work = inProgress === 0 ? 'none is being worked on' : `${inProgress} more in progress`;
  return `${plural(open, 'gap')} open; ${work}.`;
}

/** The changes of the brand and of its best rival. */
function changesOf(brand: ShareRow, rival: ShareRow | null): Content {
  const areBothQuiet = [brand, rival].every((row) => row?.rate_verdict === 'within_chance');
  if (areBothQuiet) return html`${changeCell(brand, 'rate')} <span class="same">for either</span>`;
  return html`${changeCell(brand, 'rate')}${rival !== null && html`<br />${rival.name} ${changeCell(rival, 'rate')}`}`;
}

function trendPart(
  overview: OverviewPage,
  {
    brand,
    view,
    period,
    against,
  }: { brand: ShareRow; view: PageView; period: string; against: string },
): Html {
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
  const noShare = subjects.length > 1 ? 'no tracked name is cited' : 'a share needs a competitor';
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

/** What appearing means, and of how many answers all figures beside it are. */
function sampleSentence(brand: ShareRow): Html {
  const { runs, named, linked, prompts } = brand;
  const part = (count: number) =>
    html`<span class="figure" data-n="${runs}">${percent(runs === 0 ? 0 : count / runs)}</span>`;
  return html`To appear is to be named in the text (${part(named)} of answers) or linked as a source
    (${part(linked)}).
    <span id="sample" data-sample="${runs} ${runs}">${amount(runs, 'answer')}</span> to
    ${plural(prompts, 'prompt')}.`;
}

export function bucketWords({ days }: Trend): string {
  return { 1: 'by day', 7: 'by week', 28: 'in 4 weeks each' }[days] ?? '';
}

/** The gaps with the most answers to win. */
function nextPart(context: WorkspaceContext, gaps: readonly ListedGap[], open: number): Content {
  if (gaps.length === 0) return undefined;
  const items = gaps.map(({ id, recommendation }) => {
    return { href: viewLink(context, `gaps/${id}`), ...gapSentences(recommendation) };
  });
  return html`<section class="panel" id="next">
    ${titleLine('Do this next', html`<a href="${viewLink(context, 'gaps')}">All ${plural(open, 'gap')}</a>`)}
    ${todoList(items)}
  </section>`;
}
