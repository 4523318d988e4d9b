import type { ShareRow } from '@overheard/contract';
import { changePoints, percent } from '../../values/figure-words.ts';
import { amount, thousands } from '../../values/plural.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

/** The fields that a figure of a rate needs. */
export type RateFigure = Pick<ShareRow, 'runs' | 'rate' | 'rate_low' | 'rate_high'>;
export type SovFigure = Pick<ShareRow, 'runs' | 'sov' | 'sov_low' | 'sov_high'>;
/** The fields that a change needs. */
export type ChangeFigure = Pick<
  ShareRow,
  'rate_change' | 'rate_verdict' | 'sov_change' | 'sov_verdict'
>;

/** A citation rate with its sample and its interval: `48 % of 315 answers (42 to 54 %)`. */
export function rateFigure({ rate, rate_low: low, rate_high: high, runs }: RateFigure): Html {
  return figure({ value: rate, low, high, n: runs, of: `of ${amount(runs, 'answer')}` });
}

/** A share of voice with its sample and its interval: `24 % in 315 answers (20 to 29 %)`. */
export function sovFigure({ sov, sov_low: low, sov_high: high, runs }: SovFigure): Html {
  return figure({ value: sov, low, high, n: runs, of: `in ${amount(runs, 'answer')}` });
}

/** The rate in a table whose titles say what is counted: `48 % of 315 (42 to 54 %)`. */
export function rateCell({ rate, rate_low: low, rate_high: high, runs }: RateFigure): Html {
  return figure({
    value: rate,
    low,
    high,
    n: runs,
    of: `of\u00A0${thousands(runs)}`,
    isShort: true,
  });
}

/** A share of voice in a table: `24 % in 315 (20 to 29 %)`. */
export function sovCell({ sov, sov_low: low, sov_high: high, runs }: SovFigure): Html {
  return figure({
    value: sov,
    low,
    high,
    n: runs,
    of: `in\u00A0${thousands(runs)}`,
    isShort: true,
  });
}

/**
 * Replaces an interval or a comparison in a table if there are too few prompts, which the table
 * explains.
 */
export const tooFew = html`<span class="hint too-few">–</span>`;

/** A count with its noun: `1,204 requests`. */
export function countFigure(count: number, noun: string, nouns = `${noun}s`): Html {
  const words = count === 1 ? noun : nouns;
  return html`<span class="figure" data-n="${count}"><b>${thousands(count)}</b> ${words}</span>`;
}

/** A part of a count, which has no interval: `30 % of 1,200 answers`. */
export function partFigure(part: number, whole: number, noun: string): Html {
  const words = whole === 0 ? 'none' : percent(part / whole);
  return html`<span class="figure" data-n="${whole}"><b>${words}</b> of ${amount(whole, noun)}</span>`;
}

function figure({
  value,
  low,
  high,
  n,
  of,
  isShort = false,
}: {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
  of: string;
  isShort?: boolean;
}): Html {
  if (value === null) return html`<span class="figure" data-n="${n}">not measured ${of}</span>`;
  const isKnown = low !== null && high !== null;
  const interval = isKnown
    ? `(${Math.round(low * 100)} to ${Math.round(high * 100)} %)`
    : '(too few prompts for an interval)';
  const words =
    isShort && !isKnown ? html` ${tooFew}` : html` <span class="hint">${interval}</span>`;
  const gap = isShort ? '\u00A0' : ' ';
  return html`<span class="figure" data-n="${n}"><b>${percent(value)}</b>${gap}${of}${words}</span>`;
}

const verdictWords = {
  up: 'up',
  down: 'down',
  within_chance: 'within chance',
  too_few: 'too few prompts to compare',
  not_comparable: 'not comparable: the two periods measured different things',
} as const;

/**
 * The change of a figure since the equal period before, in points with the verdict: `up by 5
 * points`.
 */
export function changeFigure(row: ChangeFigure, of: 'rate' | 'sov'): Html {
  const change = of === 'rate' ? row.rate_change : row.sov_change;
  const verdict = of === 'rate' ? row.rate_verdict : row.sov_verdict;
  const words = verdictWords[verdict];
  const isMove = verdict === 'up' || verdict === 'down';
  const points =
    change === null || verdict === 'not_comparable'
      ? ''
      : isMove
        ? ` by ${changePoints(change).slice(1)}`
        : ` (${changePoints(change)})`;
  return html`<span class="change" data-verdict="${verdict}">${words}${points}</span>`;
}

/** The change of a figure in a table. */
export function changeCell(row: ChangeFigure, of: 'rate' | 'sov'): Html {
  const verdict = of === 'rate' ? row.rate_verdict : row.sov_verdict;
  if (verdict !== 'too_few' && verdict !== 'not_comparable') return changeFigure(row, of);
  return html`<span class="change" data-verdict="${verdict}">${verdict === 'too_few' ? tooFew : 'not comparable'}</span>`;
}
