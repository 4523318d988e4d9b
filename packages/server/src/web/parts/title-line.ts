import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** The title of a section, with a note or a link at the end of its line. */
export function titleLine(title: Content, end?: Content): Html {
  return html`<div class="title">
    <h2>${title}</h2>
    ${end !== undefined && end !== false && html`<p class="hint">${end}</p>`}
  </div>`;
}
