import type { ListedPrompt, PromptState } from '../../../reports/prompt-pages/prompt-list.ts';
import { thousands } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { rateRuler } from '../../charts/ruler.ts';
import { rateCell } from '../../markup/figures.ts';
import { briefLengthMax, html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { shortDay } from '../../parts/moment-words.ts';
import { drawn } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';

/** The columns of the list of prompts; editors can tick each. */
export function promptColumns(
  context: WorkspaceContext,
  {
    mayChange,
    isEachCollected,
    hasLocales,
  }: { mayChange: boolean; isEachCollected: boolean; hasLocales: boolean },
): Columns<ListedPrompt> {
  return [
    {
      title: 'Prompt',
      cell: (
        row,
      ) => html`${promptCell(context, isEachCollected ? { ...row, collected: false } : row, mayChange)}
        ${hasLocales && html`<span class="tag">${row.locale}</span>`}`,
    },
    drawn(({ brand }) => brand !== null && rateRuler(brand)),
    {
      title: 'Appears in',
      cell: ({ brand }) => (brand === null ? uncounted : rateCell(brand)),
      isNumber: true,
    },
    {
      title: 'Most shown',
      cell: ({ leader }) => leader !== null && html`${leader.name}, ${rateCell(leader)}`,
    },
    {
      title: 'Answers',
      cell: ({ runs }) =>
        html`<span class="figure" data-n="${runs}"><b>${thousands(runs)}</b></span>`,
      isNumber: true,
    },
    {
      title: 'Last answer',
      cell: ({ last_run_at: last }) =>
        last === null ? html`<span class="hint">never</span>` : shortDay(last, context.clock()),
    },
  ];
}

const uncounted = html`<span class="figure" data-n="0">none counted</span>`;

function promptCell(context: WorkspaceContext, row: ListedPrompt, mayChange: boolean): Content {
  const { id, text, language } = row;
  return html`${
    mayChange &&
    html`<input
        type="checkbox"
        name="prompt[]"
        value="${id}"
        aria-label="Choose ${printable(text, { lengthMax: briefLengthMax })}"
      /> `
  }<a href="${viewLink(context, `prompts/${id}`)}" lang="${language}">${text}</a>
    ${promptTags(row)}`;
}

/** The properties of a prompt as tags. Usual ones are left out. */
export function promptTags({
  active,
  collected,
  branded,
  names_competitor: hasRival,
  tags,
}: PromptState): Content {
  const tag = (words: string) => html`<span class="tag">${words}</span> `;
  return [
    !active && tag('inactive'),
    collected && html`<span class="tag good">asked</span> `,
    branded === true && tag('branded'),
    hasRival === true && tag('names a competitor'),
    tags.map(tag),
  ];
}
