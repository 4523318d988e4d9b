import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { ShareRow } from '@overheard/contract';
import { withEngineNames } from '../../../values/engine.ts';
import { percent } from '../../../values/figure-words.ts';
import { amount, plural, thousands } from '../../../values/plural.ts';
import { changeFigure, countFigure, rateFigure, sovFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { surfaceNote } from '../../parts/surface-note.ts';

/** Shows the summary in words first, then the four figures behind it. */
export function summaryPart(context: WorkspaceContext, overview: OverviewPage): Content {
  const { brand, subjects, before, gaps } = overview;
  if (brand === null) return undefined;
  const { weeks, engine, locale, competitorPrompts } = readView(context).view;
  const isFiltered =
    engine !== undefined || locale !== undefined || competitorPrompts === 'exclude';
  const against = weeks === undefined ? periodWords(before) : `the ${weeks} weeks before`;
  const [first, second] = subjects;
  const isFirst = first?.subject_id === brand.subject_id;
  const other = isFirst ? second : first;
  return html`<section class="card">
    <p class="summary" id="summary">
      Cited in ${rateFigure(brand)}:
      ${changeFigure(brand, 'rate')}${brand.rate_verdict === 'too_few' ? ' with' : ', compared with'}
      ${against}.
    </p>
    ${surfaceNote(overview.surfaces)}
    ${
      other !== undefined &&
      html`<p>
        ${isFirst ? 'No tracked name is cited more often. Next is' : 'Most cited is'} ${other.name},
        in ${rateFigure(other)}.
      </p>`
    }
    <dl class="figures four">
      ${item('Cited in', rateFigure(brand), changeFigure(brand, 'rate'))}
      ${item('Share of voice', sovFigure(brand), shareChange(overview, brand))}
      ${item(
        'Open gaps',
        countFigure(gaps.open, 'gap'),
        html`<a href="${viewLink(context, 'gaps')}">${thousands(gaps.high)} of high priority</a>;
          ${thousands(gaps.inProgress)} more in progress`,
      )}
      ${requestsItem(context, overview)}
    </dl>
    <p class="hint">
      From ${plural(brand.prompts, 'prompt')}. ${comparedWords(brand, against)} Ranges are 95 % intervals for questions like these.${correlationWords(overview)}
      ${isFiltered && 'Open gaps and crawler requests are those of all engines, locales and prompts.'}
    </p>
  </section>`;
}

/** The change of the share of voice, or why there is no share. */
function shareChange({ subjects }: OverviewPage, brand: ShareRow): Content {
  if (brand.sov !== null) return changeFigure(brand, 'sov');
  return subjects.length > 1 ? 'no tracked name is cited' : 'a share needs a competitor';
}

/** How alike answers to one prompt are, because more of them say little if they are much alike. */
function correlationWords({ correlation }: OverviewPage): Content {
  return (
    correlation !== undefined &&
    ` Two answers to one prompt correlate by ${correlation.toFixed(2)}; at 1, asking again says nothing new.`
  );
}

/** Over which answers the change was computed, because its rates are not of all answers. */
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

/** Requests of bots, which are counts and so have no interval. */
export function requestsItem(context: WorkspaceContext, { crawls }: OverviewPage): Html {
  const { requests, verified, spoofed, unverified, refused, requestsBefore } = crawls;
  const words = [
    `${thousands(verified)} verified`,
    `${thousands(spoofed)} spoofed`,
    `${thousands(unverified)} unverified`,
  ];
  return item(
    'AI crawler requests',
    countFigure(requests, 'request'),
    html`${words.join(', ')}.
      <a href="${viewLink(context, 'crawlers')}">${thousands(refused)} refused</a>. In the period
      before: ${thousands(requestsBefore)}.`,
  );
}

function item(title: string, figure: Content, note: Content): Html {
  return html`<div id="${title.toLowerCase().replaceAll(' ', '-')}">
    <dt>${title}</dt>
    <dd>
      ${figure}
      <p class="hint">${note}</p>
    </dd>
  </div>`;
}
