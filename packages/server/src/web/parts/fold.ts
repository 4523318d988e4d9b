import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** What is one click away: a formula, a table, rare settings. */
export function fold(words: Content, content: Content, { isOpen = false } = {}): Html {
  return html`<details class="fold" ${isOpen && html` open`}>
    <summary>${words}</summary>
    ${content}
  </details>`;
}
