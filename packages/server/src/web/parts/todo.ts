import type { ListedGap } from '../../answers/actions/gap-list.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { viewLink } from '../request/view.ts';
import { gapSentences, howWords } from './gap-sentences.ts';
import { titleLine } from './title-line.ts';

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

/** The gaps with the most answers to win. `end` stands at the end of the title. */
export function nextPart(
  context: WorkspaceContext,
  gaps: readonly ListedGap[],
  end?: Content,
): Content {
  if (gaps.length === 0) return undefined;
  const items = gaps.map(({ id, recommendation, step }) => ({
    href: viewLink(context, `gaps/${id}`),
    ...gapSentences(recommendation),
    how: howWords(step),
  }));
  return html`<section class="panel" id="next">
    ${titleLine('Do this next', end)}
    ${todoList(items)}
  </section>`;
}
