import type { ShareRow } from '@overheard/contract';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/** A ratio from 0 to 1, with its interval if that is known. */
interface Dot {
  readonly value: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
  readonly isBrand?: boolean;
}

/**
 * Ratios as dots on a line from 0 to 100 %, with their intervals as bars. `hasGap` draws a line
 * between the first two. Screen readers skip it, because the figures stand beside it. Positions are
 * in per cent without a `viewBox`, so the line stretches and the dots stay round.
 */
export function ruler(dots: readonly Dot[], { hasGap = false }: { hasGap?: boolean } = {}): Html {
  const [from, to] = dots.map(({ value }) => value);
  return html`<svg class="ruler" aria-hidden="true">
    <line class="track" x2="100%" y1="10" y2="10" />
    ${dots.map(
      ({ low = null, high = null, isBrand }) =>
        low !== null &&
        high !== null &&
        html`<line class="range${isBrand && ' own'}" x1="${share(low)}" x2="${share(high)}" y1="10" y2="10" />`,
    )}
    ${hasGap && typeof from === 'number' && typeof to === 'number' && html`<line class="gap" x1="${share(from)}" x2="${share(to)}" y1="10" y2="10" />`}
    ${dots.map(
      ({ value, isBrand }) =>
        value !== null &&
        html`<circle ${isBrand && html` class="own"`} cx="${share(value)}" cy="10" r="4.5" />`,
    )}
  </svg>`;
}

/** The rate of a subject on that line. */
export function rateRuler(row: ShareRow): Html {
  return ruler([rateDot(row)]);
}

/** The rate of a subject as a dot. */
export function rateDot({ rate, rate_low, rate_high, subject_type }: ShareRow): Dot {
  return { value: rate, low: rate_low, high: rate_high, isBrand: subject_type === 'brand' };
}

function share(ratio: number): string {
  return `${Math.round(ratio * 1000) / 10}%`;
}
