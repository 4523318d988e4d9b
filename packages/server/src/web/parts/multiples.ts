import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** The same small chart for each of several things, all on one scale. */
export function multiples(
  each: ReadonlyArray<{
    readonly title: Content;
    readonly figure: Html;
    readonly change: Html;
    readonly chart: Html;
  }>,
): Html {
  return html`<div class="multiples">
    ${each.map(
      ({ title, figure, change, chart }) =>
        html`<div>
          <h3>${title}</h3>
          <p><span class="mid">${figure}</span>${change}</p>
          ${chart}
        </div>`,
    )}
  </div>`;
}
