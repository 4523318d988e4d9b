import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** One of several views of a page. */
export interface Tab {
  readonly href: string;
  readonly words: Content;
  readonly isOn: boolean;
}

/** Views of a page as a line of links, the current one underlined. `label` is for screen readers. */
export function tabs(label: string, choices: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${choices.map(({ href, words, isOn }) => html`<a href="${href}" ${isOn && html` aria-current="true"`}>${words}</a>`)}
  </nav>`;
}
