import type { ListedGap } from '../../answers/actions/gap-list.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { viewLink } from '../request/view.ts';
import { gapSentences, howWords } from './gap-sentences.ts';
import { titleLine } from './title-line.ts';

/**
 * The gaps with the most answers to win, each with one plain reason and how to fix it. `end` stands at
 * the end of the title.
 */
export function nextPart(
  context: WorkspaceContext,
  gaps: readonly ListedGap[],
  end?: Content,
): Content {
  if (gaps.length === 0) return undefined;
  return html`<section class="panel" id="next">
    ${titleLine('Do this next', end)}
    <ol class="todo">
      ${gaps.map(({ id, recommendation, step }) => {
        const { title, reason } = gapSentences(recommendation);
        const how = howWords(step);
        return html`<li>
          <a data-foreign href="${viewLink(context, `gaps/${id}`)}">${title}</a>
          <p class="clamp" data-foreign>${reason}</p>
          ${how !== undefined && html`<p class="fix"><b>How:</b> <span data-foreign>${how}</span></p>`}
        </li>`;
      })}
    </ol>
  </section>`;
}
