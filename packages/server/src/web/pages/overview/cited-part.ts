import type { ShareRow } from '@overheard/contract';
import type { LostPrompt } from '../../../reports/period-report.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { amount } from '../../../values/plural.ts';
import { intervalDot } from '../../charts/interval-dot.ts';
import { changeCell, rateCell, sovCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';

/** Most prompts to list. The page of prompts has all. */
const rowsMax = 8;

/**
 * The columns of cited subjects, with intervals. A competitor links to its comparison with the
 * brand.
 */
const citedColumns = (context: WorkspaceContext): ReadonlyArray<Column<ShareRow>> => [
  {
    title: 'Name',
    cell: ({ name, subject_type: type, subject_id: id }) =>
      type === 'brand'
        ? html`<strong>${name}</strong> <span class="tag">you</span>`
        : html`<a href="${viewLink(context, `competitors/${id}`)}">${name}</a>`,
  },
  { title: 'Cited in', cell: rateCell, isNumber: true },
  {
    title: 'Rate, 0 to 100',
    cell: ({ rate, rate_low: low, rate_high: high, subject_type: type }) =>
      intervalDot({ value: rate, low, high, isBrand: type === 'brand' }),
  },
  { title: 'Share of voice', cell: sovCell, isNumber: true },
  {
    title: 'Change of the rate',
    cell: (row) => changeCell(row, 'rate'),
  },
];

export function citedPart(context: WorkspaceContext, { subjects }: OverviewPage): Content {
  const columns = citedColumns(context);
  return html`<section class="card" id="who-is-cited">
    <h2>Who is cited</h2>
    ${table({ caption: 'Who is cited', columns, empty: 'No tracked name is cited.' }, subjects)}
  </section>`;
}

/** Prompts on which someone else is cited more often, beyond chance. */
export function lostPart(context: WorkspaceContext, { lost, promptCount }: OverviewPage): Content {
  const columns: ReadonlyArray<Column<LostPrompt>> = [
    { title: 'Prompt', cell: ({ prompt, brand }) => promptLink(context, prompt, brand) },
    { title: 'You', cell: ({ brand }) => rateCell(brand), isNumber: true },
    { title: 'Cited most', cell: ({ leader }) => html`${leader.name}, ${rateCell(leader)}` },
  ];
  return html`<section class="card" id="prompts-lost">
    <h2>Prompts lost: ${lost.length} of ${amount(promptCount, 'prompt')}</h2>
    <p class="hint">
      A competitor is cited more often there, beyond chance. Most lost first.
      ${lost.length > rowsMax && `These are the first ${rowsMax}.`}
    </p>
    ${table({ caption: 'Prompts lost', columns, empty: 'None.' }, lost.slice(0, rowsMax))}
    <p>
      <a href="${viewLink(context, 'prompts', { sort: 'least_cited' })}">All prompts, least cited first</a>
    </p>
  </section>`;
}

/** Prompts whose rate changed beyond chance. */
export function movedPart(
  context: WorkspaceContext,
  { moved, comparedCount }: OverviewPage,
): Content {
  const columns: ReadonlyArray<Column<ShareRow>> = [
    { title: 'Prompt', cell: (row) => promptLink(context, row.prompt ?? '', row) },
    { title: 'Cited in', cell: rateCell, isNumber: true },
    { title: 'Change', cell: (row) => changeCell(row, 'rate') },
  ];
  return html`<section class="card">
    <h2>
      Prompts that moved: ${moved.length} of ${amount(comparedCount, 'prompt')} that can be compared
    </h2>
    <p class="hint">
      Beyond chance, largest change first. Of these, at most one in ten is expected to be chance.
      ${moved.length > rowsMax && `Listed are the first ${rowsMax}.`}
    </p>
    ${table({ caption: 'Prompts that moved', columns, empty: 'None.' }, moved.slice(0, rowsMax))}
  </section>`;
}

function promptLink(context: WorkspaceContext, text: string, { prompt_id: id }: ShareRow): Html {
  return html`<a href="${viewLink(context, `prompts/${id ?? ''}`)}">${text}</a>`;
}
