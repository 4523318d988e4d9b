import type { ShareRow } from '@overheard/contract';
import { changePoints, percent } from '../../values/figure-words.ts';
import { amount, thousands } from '../../values/plural.ts';
import { html } from './html.ts';
import type { Content, Html } from './html.ts';

/** The fields that a figure of a rate needs. */
export type RateFigure = Pick<ShareRow, 'runs' | 'rate' | 'rate_low' | 'rate_high'>;
/** The fields that a change needs. */
export type ChangeFigure = Pick<
  ShareRow,
  'rate_change' | 'rate_verdict' | 'sov_change' | 'sov_verdict'
>;

/** A rate with its sample and its interval, in a sentence: `48 % of 315 answers (42 to 54 %)`. */
export function rateFigure({ rate, rate_low: low, rate_high: high, runs }: RateFigure): Html {
  const of = `of ${amount(runs, 'answer')}`;
  if (rate === null) return html`<span class="figure" data-n="${runs}">not measured ${of}</span>`;
  const interval = intervalWords(low, high) ?? 'too few prompts for an interval';
  return html`<span class="figure" data-n="${runs}"
    ><b>${percent(rate)}</b> ${of} <span class="hint">(${interval})</span></span
  >`;
}

/** A rate alone. The table or the section around it says its sample, and a ruler draws its interval. */
export function rateCell({ rate, runs }: Pick<RateFigure, 'rate' | 'runs'>): Html {
  return bare(rate, runs);
}

/** A share of voice alone. */
export function sovCell({ sov, runs }: Pick<ShareRow, 'sov' | 'runs'>): Html {
  return bare(sov, runs);
}

/** `42 to 54 %`; undefined if there are too few prompts for an interval. */
export function intervalWords(low: number | null, high: number | null): string | undefined {
  if (low === null || high === null) return undefined;
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

function bare(value: number | null, n: number): Html {
  if (value === null) return html`<span class="hint">not measured</span>`;
  return html`<span class="figure" data-n="${n}" data-bare><b>${percent(value)}</b></span>`;
}

/** The samples of the figures in some markup that do not say theirs. */
export function bareSamples(markup: string): number[] {
  return [...markup.matchAll(/data-n="(\d+)" data-bare/g)].map(([, n]) => Number(n));
}

/** Says once how many answers figures were counted from: `of 917 answers`, `of 12 to 40 answers each`. */
export function sampleNote(samples: readonly number[]): Content {
  if (samples.length === 0) return undefined;
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  const words =
    low === high
      ? `of ${amount(high, 'answer')}`
      : `of ${thousands(low)} to ${thousands(high)} answers each`;
  return html`<span data-sample="${low} ${high}">${words}</span>`;
}

/**
 * Replaces an interval or a comparison in a table if there are too few prompts, which the table
 * explains.
 */
export const tooFew = html`<span class="hint too-few">–</span>`;

/** A count with its noun: `1,204 requests`, `no requests`. */
export function countFigure(count: number, noun: string, nouns = `${noun}s`): Html {
  const words = count === 1 ? noun : nouns;
  return html`<span class="figure" data-n="${count}"><b>${count === 0 ? 'no' : thousands(count)}</b> ${words}</span>`;
}

/** A part of a count, which has no interval: `30 % of 1,200 answers`. */
export function partFigure(part: number, whole: number, noun: string): Html {
  const words = whole === 0 ? 'none' : percent(part / whole);
  return html`<span class="figure" data-n="${whole}"><b>${words}</b> of ${amount(whole, noun)}</span>`;
}

const looks = {
  up: 'up',
  down: 'down',
  within_chance: 'same',
  too_few: 'same',
  not_comparable: 'same',
};

/**
 * The change of a figure since the equal period before, with its verdict: `↑ 5 points`, `= no real
 * change`. Only a proven change has points, an arrow and a colour.
 */
export function changeFigure(row: ChangeFigure, of: 'rate' | 'sov'): Html {
  const change = of === 'rate' ? row.rate_change : row.sov_change;
  const verdict = of === 'rate' ? row.rate_verdict : row.sov_verdict;
  const points = changePoints(change ?? 0).slice(1);
  const words = {
    up: `↑ ${points}`,
    down: `↓ ${points}`,
    within_chance: '= no real change',
    too_few: 'too few prompts to compare',
    not_comparable: 'not comparable: the two periods measured different things',
  };
  return html`<span class="${looks[verdict]}" data-verdict="${verdict}">${words[verdict]}</span>`;
}

/** The change of a figure in a table. */
export function changeCell(row: ChangeFigure, of: 'rate' | 'sov'): Html {
  const verdict = of === 'rate' ? row.rate_verdict : row.sov_verdict;
  if (verdict !== 'too_few' && verdict !== 'not_comparable') return changeFigure(row, of);
  return html`<span class="same" data-verdict="${verdict}">${verdict === 'too_few' ? tooFew : 'not comparable'}</span>`;
}
