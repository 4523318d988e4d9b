import type { ListedGap } from '../../../answers/actions/gap-list.ts';
import { actionStatuses } from '../../../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../../../storage/queries/list-actions.ts';
import { allows } from '../../../people/roles.ts';
import type { GapResult } from '../../../reports/gap-results.ts';
import { changeFigure, partFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { gapKind, gapSentences, howWords } from '../../parts/gap-sentences.ts';
import { dayWords } from '../../parts/moment-words.ts';
import { viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** The titles of the statuses. */
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

/** A gap in a list. The keys 1 to 4 move it while something in it has the focus. */
export function gapRow(
  context: WorkspaceContext,
  gap: ListedGap,
  {
    assignee,
    result,
    filters,
  }: { assignee: string | undefined; result: GapResult | undefined; filters: ViewChanges },
): Html {
  const { id, priority, status, kind, step } = gap;
  const { title, reason } = gapSentences(gap.recommendation);
  return html`<li data-keys>
    ${level(priority)}
    <div class="what">
      <a class="topic" id="gap-${id}" data-row data-foreign href="${viewLink(context, `gaps/${id}`)}">${title}</a>
      ${reason !== '' && html`<p data-foreign>${reason}</p>`}
      ${status === 'done' ? html`<p>${resultWords(result)}</p>` : step !== null && html`<p data-foreign><b>How:</b> ${howWords(step)}</p>`}
    </div>
    <div class="tail">
      <span class="tag">${gapKind(kind)}</span>
      ${assignee !== undefined && html`<span class="face" title="${assignee}"><span class="unseen">Assigned to ${assignee}</span><span aria-hidden="true">${initials(assignee)}</span></span>`}
      ${allows(context.role, 'editor') && statusMenu(context, gap, filters)}
    </div>
  </li>`;
}

/** What has come of a gap that is done: the figure before and after it, with the verdict. */
export function resultWords(result: GapResult | undefined): Content {
  if (result === undefined) return 'It was imported as done, so nothing can be compared.';
  const { until, brand, before } = result;
  if (brand === null) {
    return `The 28 days after it end on ${dayWords(until)}. Then they are compared with the 28 days before.`;
  }
  return html`${partFigure(brand.cited, brand.runs, 'answer')} in the 28 days after,
  ${partFigure(before.part, before.whole, 'answer')} before: ${changeFigure(brand, 'rate')}.`;
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word = '') => (Array.from(word)[0] ?? '').toUpperCase()).join('');
}

/** The menu of a gap's status. */
function statusMenu(context: WorkspaceContext, gap: ListedGap, filters: ViewChanges): Html {
  return html`<details class="pick" name="pick">
    <summary class="button small" aria-describedby="gap-${gap.id}"><span class="unseen">Status: </span>${statusWords[gap.status]}</summary>
    ${moveForm(context, gap, { back: 'list', filters })}
  </details>`;
}

/**
 * The buttons that move a gap. The form contains the status that the person saw, and its address the
 * page's filters.
 */
export function moveForm(
  context: WorkspaceContext,
  { id, status }: Pick<ListedGap, 'id' | 'status'>,
  {
    back,
    next = actionStatuses,
    filters,
  }: { back: 'list' | 'gap'; next?: readonly ActionStatus[]; filters?: ViewChanges },
): Html {
  return html`<form method="post" action="${viewLink(context, `gaps/${id}`, filters)}">
    <input type="hidden" name="from" value="${status}" />
    <input type="hidden" name="back" value="${back}" />
    ${next
      .filter((each) => each !== status)
      .map(
        (each) =>
          html`<button
            class="button small${back === 'gap' && each === next.at(-1) && ' primary'}"
            name="status"
            value="${each}"
            data-key="${actionStatuses.indexOf(each) + 1}"
            aria-describedby="gap-${id}"
          >
            ${moveWords[each]}
          </button>`,
      )}
  </form>`;
}

/** A level as one to three bars. Screen readers skip it, because its word stands beside it or above. */
export function level(word: 'high' | 'medium' | 'low'): Html {
  const bars = { low: 1, medium: 2, high: 3 }[word];
  const bar = (place: number) =>
    html`<rect ${place >= bars && html` class="off"`} x="${5 * place}" y="${9 - 4.5 * place}" width="3.5" height="${5 + 4.5 * place}" rx="1" />`;
  return html`<svg class="level ${word}" viewBox="0 0 14 14" aria-hidden="true">${[0, 1, 2].map(bar)}</svg>`;
}
