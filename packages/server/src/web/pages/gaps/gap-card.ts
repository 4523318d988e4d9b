import type { GapCard } from '../../../answers/actions/gap-board.ts';
import { actionStatuses } from '../../../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../../../answers/actions/stored-actions.ts';
import { impactWord } from '../../../answers/actions/impact.ts';
import { shorten } from '../../../answers/actions/gap-words.ts';
import { withEngineNames } from '../../../values/engine.ts';
import { allows } from '../../../people/roles.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** The titles of the columns. */
export const statusWords: Readonly<Record<ActionStatus, string>> = {
  open: 'Open',
  in_progress: 'In progress',
  done: 'Done',
  dismissed: 'Dismissed',
};

/** The labels of the buttons that move a gap. */
const moveWords: Readonly<Record<ActionStatus, string>> = {
  open: 'Reopen',
  in_progress: 'Start',
  done: 'Done',
  dismissed: 'Dismiss',
};

const headLengthMax = 120;

/** The head of a recommendation, up to its first colon outside of a quoted prompt, and its evidence. */
export function splitRecommendation(words: string): { head: string; evidence: string } {
  const sentence = withEngineNames(words);
  const colon = /^(?:"[^"]{0,300}"|[^":]|:(?! )){1,300}: /.exec(sentence)?.[0];
  if (colon === undefined) return { head: shorten(sentence, headLengthMax), evidence: '' };
  const [first = '', ...others] = sentence.slice(colon.length);
  return { head: colon.slice(0, -2), evidence: first.toUpperCase() + others.join('') };
}

/** A gap on the board. The keys 1 to 4 move it while something in it has the focus. */
export function gapCard(
  context: WorkspaceContext,
  gap: GapCard,
  priority: string | undefined,
): Html {
  const { id } = gap;
  const { head, evidence } = splitRecommendation(gap.recommendation);
  return html`<li class="panel" data-keys>
    <a id="gap-${id}" data-foreign href="${viewLink(context, `gaps/${id}`)}">${head}</a>
    ${evidence !== '' && html`<p class="hint clamp" data-foreign>${evidence}</p>`}
    <p class="hint">${gapFacts(gap)}</p>
    ${allows(context.role, 'editor') && moveForm(context, gap, { back: 'board', priority })}
  </li>`;
}

/** The priority of a gap. */
export function priorityTag({ priority }: GapCard): Html {
  return html`<span class="tag${priority === 'high' && ' bad'}">${priority}</span>`;
}

/** The impact of a gap, and its priority if that differs. */
function gapFacts(gap: GapCard): Content {
  const { impact_score: impact } = gap;
  const word = impactWord(impact);
  // An import may give a priority of its own.
  const isOwn = word !== gap.priority;
  return html`<span class="tag${word === 'high' && ' bad'}">${word === undefined ? 'impact not known' : `${word} impact`}</span>${isOwn && ` priority ${gap.priority}`}`;
}

/**
 * The buttons that move a gap. The form contains the status that the person saw, and the page's
 * filter by priority.
 */
export function moveForm(
  context: WorkspaceContext,
  { id, status }: Pick<GapCard, 'id' | 'status'>,
  { back, priority }: { back: 'board' | 'list' | 'gap'; priority?: string | undefined },
): Html {
  return html`<form
    class="actions"
    method="post"
    action="${viewLink(context, `gaps/${id}`, { priority })}"
  >
    <input type="hidden" name="from" value="${status}" />
    <input type="hidden" name="back" value="${back}" />
    ${actionStatuses.map(
      (next, index) =>
        next !== status &&
        html`<button
          class="button small"
          name="status"
          value="${next}"
          data-key="${index + 1}"
          aria-describedby="gap-${id}"
        >
          ${moveWords[next]}
        </button>`,
    )}
  </form>`;
}
