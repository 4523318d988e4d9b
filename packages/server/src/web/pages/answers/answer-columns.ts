import type { ListedAnswer } from '../../../reports/answer-pages/answer-list.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { shortMinute } from '../../parts/moment-words.ts';
import type { Columns } from '../../parts/table.ts';

const namesMax = 6;

/** The columns of a list of answers; links keep the filters of the list. */
export function answerColumns(
  context: WorkspaceContext,
  filters: ViewChanges,
): Columns<ListedAnswer> {
  return [
    {
      title: 'Prompt',
      cell: ({ run_id: id, prompt, language }) =>
        html`<a href="${viewLink(context, `answers/${id}`, filters)}" lang="${language}">${prompt}</a>`,
    },
    { title: 'Engine', cell: ({ engine }) => engineName(engine) },
    { title: 'Asked at (UTC)', cell: ({ run_at: at }) => shortMinute(at, context.clock()) },
    { title: 'Who appears', cell: citedWords },
    { title: 'Outcome', cell: outcomeTags },
    { title: 'Locale', cell: ({ locale }) => html`<span class="tag">${locale}</span>` },
  ];
}

function citedWords({ outcome, cited }: ListedAnswer): Content {
  if (outcome !== 'answered') return '';
  if (cited.length === 0) return html`<span class="hint">nobody</span>`;
  const names = cited
    .slice(0, namesMax)
    .map(({ name, isBrand }, index) => [
      index > 0 && ', ',
      isBrand ? html`<strong>${name}</strong>` : name,
    ]);
  return [names, cited.length > namesMax && ` and ${cited.length - namesMax} more`];
}

function outcomeTags({ outcome, branded }: ListedAnswer): Content {
  if (outcome !== 'answered') return html`<span class="tag">${outcome}</span>`;
  return branded ? html`<span class="tag">branded, not counted</span>` : undefined;
}
