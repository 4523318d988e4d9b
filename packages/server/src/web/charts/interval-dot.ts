import type { ShareRow } from '@overheard/contract';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/**
 * A ratio as a dot on a scale from 0 to 1, with its interval as a bar. It is hidden from screen
 * readers, because the figure is next to it in words.
 */
export function intervalDot({
  value,
  low,
  high,
  isBrand = false,
}: {
  value: number | null;
  low: number | null;
  high: number | null;
  isBrand?: boolean;
}): Html {
  const bar =
    low !== null &&
    high !== null &&
    html`<path class="band" d="M${percentOf(low)} 8H${percentOf(high)}" />`;
  return html`<svg class="dot${isBrand && ' own'}" viewBox="-4 0 108 16" aria-hidden="true">
    <path class="track" d="M0 8H100" />
    ${bar}${value !== null && html`<circle cx="${percentOf(value)}" cy="8" r="4" />`}
  </svg>`;
}

/** The rate of a subject on that scale. */
export function rateDot(row: ShareRow): Html {
  const { rate: value, rate_low: low, rate_high: high, subject_type: type } = row;
  return intervalDot({ value, low, high, isBrand: type === 'brand' });
}

function percentOf(ratio: number): string {
  return String(Math.round(ratio * 1000) / 10);
}
