import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/** A level as one to three bars. Screen readers skip it, because its word stands beside it or above. */
export function level(word: 'high' | 'medium' | 'low'): Html {
  const bars = { low: 1, medium: 2, high: 3 }[word];
  const bar = (place: number) =>
    html`<rect ${place >= bars && html` class="off"`} x="${5 * place}" y="${9 - 4.5 * place}" width="3.5" height="${5 + 4.5 * place}" rx="1" />`;
  return html`<svg class="level ${word}" viewBox="0 0 14 14" aria-hidden="true">${[0, 1, 2].map(bar)}</svg>`;
}
