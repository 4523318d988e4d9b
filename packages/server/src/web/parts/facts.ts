import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** Terms with their values, one line each. A value that is `false` or undefined is left out. */
export function facts(rows: ReadonlyArray<readonly [term: string, value: Content]>): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([term, value]) =>
        value !== undefined &&
        value !== false &&
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
