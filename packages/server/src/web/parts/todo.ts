import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** Numbered things to do, each with one plain reason and how to do it. */
export function todoList(
  items: ReadonlyArray<{
    readonly href: string;
    readonly title: Content;
    readonly reason: Content;
    readonly how?: Content;
  }>,
): Html {
  return html`<ol class="todo">
    ${items.map(
      ({ href, title, reason, how }) =>
        html`<li>
          <a data-foreign href="${href}">${title}</a>
          <p class="clamp" data-foreign>${reason}</p>
          ${how !== undefined && html`<p class="fix"><b>How:</b> <span data-foreign>${how}</span></p>`}
        </li>`,
    )}
  </ol>`;
}
