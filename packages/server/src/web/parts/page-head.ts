import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** A sign such as a logo, the title, as heading 1 unless the content has one, and a sentence. */
export function pageHead(
  {
    title,
    lead,
    content,
  }: { readonly title: string; readonly lead?: Content; readonly content: Content },
  tools: Content,
  sign?: Content,
): Html {
  const isStory = html`${content}`.text.includes('<h1');
  return html`<div class="head">
    ${sign}
    ${isStory ? html`<p class="place">${title}</p>` : html`<h1 class="place">${title}</h1>`}
    ${lead !== undefined && html`<p class="lead">${lead}</p>`} ${tools}
  </div>`;
}
