import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** The large figures of a page: two at most, the brand's first, then a word on their change. */
export function lineup(
  figures: ReadonlyArray<{
    readonly label: string;
    readonly figure: Html;
    readonly isOwn?: boolean;
  }>,
  change: Content,
): Html {
  return html`<div class="lineup">
    ${figures.map(
      ({ label, figure, isOwn }) =>
        html`<div ${isOwn && html` class="own"`}>
          <p class="hint">${label}</p>
          ${figure}
        </div>`,
    )}
    <p>${change}</p>
  </div>`;
}
