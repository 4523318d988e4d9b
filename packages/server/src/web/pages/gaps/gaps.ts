import { z } from 'zod';
import type { GapCard, GapColumn } from '../../../answers/actions/gap-board.ts';
import { impactWord } from '../../../answers/actions/impact.ts';
import { actionStatuses } from '../../../answers/actions/stored-actions.ts';
import { allows } from '../../../people/roles.ts';
import { actionPriority, actions } from '@overheard/contract';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { shareLink, sharedControls } from '../../parts/share-link.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { gapCard, moveForm, priorityTag, splitRecommendation, statusWords } from './gap-card.ts';
import { findGapsPart, findGapsRoute, latestSearch } from './find-gaps.ts';
import { gapPageRoute } from './gap-page.ts';
import { moveRoute } from './move-gap.ts';
import { noGapsPart } from './no-gaps.ts';

/** The pages of gaps: a board by status, a list, and each gap with its evidence. */
export const gapsRoutes: readonly WorkspaceRoute[] = [
  {
    method: 'GET',
    path: '/w/:slug/gaps',
    role: 'viewer',
    dependsOn: latestSearch,
    run: (context) => gapsPage(context),
  },
  gapPageRoute,
  findGapsRoute,
  moveRoute(gapsPage),
];

export const gapParameters = {
  view: z.enum(['board', 'list']).optional(),
  status: z.enum(actionStatuses).optional(),
  priority: actionPriority.optional(),
  page: z.coerce.number().int().min(1).max(1000).optional(),
};
type GapParameters = z.infer<z.ZodObject<typeof gapParameters>>;

const cardsMax = 20;
const rowsOfPage = 100;

/** Shows the page, with a notice if a move was refused. */
export async function gapsPage(
  context: WorkspaceContext,
  { notice, status = 200 }: { notice?: Content; status?: number } = {},
): Promise<Result> {
  const { view, parameters, isCsv } = readView(context, gapParameters);
  const filter = { engine: view.engine, priority: parameters.priority };
  if (isCsv) {
    const rowsMax = Number.MAX_SAFE_INTEGER;
    const query = { ...filter, status: parameters.status, rowsMax };
    const all = await context.reports.read('gaps', query);
    const rows = all.flatMap(({ gaps }) => gaps);
    return csvOf(context, 'gaps', columnsOfFields(actions.fields), rows);
  }
  const isList = parameters.view === 'list';
  const rowsMax = isList ? rowsOfPage : cardsMax;
  const skip = isList ? ((parameters.page ?? 1) - 1) * rowsOfPage : 0;
  const wanted = isList ? (parameters.status ?? 'open') : undefined;
  const query = { ...filter, status: wanted, rowsMax, skip };
  const columns = await context.reports.read('gaps', query);
  const { engines, brandName } = await context.reports.read('filters', {});
  const isEmpty = columns.every(({ total }) => total === 0);
  const content = html`${notice} ${controls(context, { parameters, engines, engine: view.engine })}
  ${isEmpty && !isList ? await noGapsPart(context, filter) : isList ? list(context, parameters, columns) : board(context, columns, parameters)}
  ${context.shared === undefined && (await findGapsPart(context))}`;
  const lead = `Where ${brandName ?? context.workspace.name} is missing, by impact. Rules find them, and people change their status.`;
  return { page: workspacePage(context, { title: 'Gaps', lead, content }), status };
}

function board(
  context: WorkspaceContext,
  columns: readonly GapColumn[],
  { priority }: GapParameters,
): Html {
  return html`<drag-board class="board">
    ${columns.map(
      ({ status, total, gaps }) =>
        html`<section aria-labelledby="column-${status}" data-status="${status}">
          <h2 id="column-${status}">${statusWords[status]} <span class="hint">${total}</span></h2>
          <ul>
            ${gaps.map((gap) => gapCard(context, gap, priority))}
          </ul>
          ${
            total > gaps.length &&
            html`<p>
              <a href="${viewLink(context, 'gaps', { view: 'list', status, priority })}">${total - gaps.length} more</a>
            </p>`
          }
        </section>`,
    )}
  </drag-board>`;
}

function list(
  context: WorkspaceContext,
  parameters: GapParameters,
  [column]: readonly GapColumn[],
): Content {
  if (column === undefined) return undefined;
  const { status, total, gaps } = column;
  const page = parameters.page ?? 1;
  const { priority } = parameters;
  const link = (number: number, words: string): Html =>
    html`<a
      class="button small"
      href="${viewLink(context, 'gaps', { view: 'list', status, priority, page: number })}">${words}</a>`;
  return html`<section>
    <h2>${statusWords[status]} <span class="hint">${total}</span></h2>
    ${table({ caption: statusWords[status], columns: listColumns(context, parameters), empty: 'There is no such gap.' }, gaps)}
    <p class="actions">
      ${page > 1 && link(page - 1, 'Before')} ${total > page * rowsOfPage && link(page + 1, 'More')}
    </p>
  </section>`;
}

function listColumns(
  context: WorkspaceContext,
  { priority }: GapParameters,
): ReadonlyArray<Column<GapCard>> {
  const columns: ReadonlyArray<Column<GapCard>> = [
    {
      title: 'Gap',
      cell: ({ id, recommendation }) => {
        const { head, evidence } = splitRecommendation(recommendation);
        return html`<a id="gap-${id}" data-foreign href="${viewLink(context, `gaps/${id}`)}">${head}</a>
          <p class="hint clamp" data-foreign>${evidence}</p>`;
      },
    },
    { title: 'About', cell: ({ kind }) => kind ?? 'imported' },
    { title: 'Priority', cell: priorityTag },
    { title: 'Impact', cell: ({ impact_score: impact }) => impactWord(impact) ?? 'not known' },
  ];
  if (!allows(context.role, 'editor')) return columns;
  return [
    ...columns,
    { title: 'Move', cell: (gap) => moveForm(context, gap, { back: 'list', priority }) },
  ];
}

/** The choice of board or list, and the filters. */
function controls(
  context: WorkspaceContext,
  {
    parameters,
    engines,
    engine,
  }: { parameters: GapParameters; engines: readonly string[]; engine: string | undefined },
): Html {
  if (context.shared !== undefined)
    return html`<p class="actions">${sharedControls(context.shared, true)}</p>`;
  const { view = 'board', priority, status = 'open' } = parameters;
  const linkParameters = view === 'list' ? { view, status, priority } : { priority };
  const link = (changes: ViewChanges, words: string, isOn: boolean): Html =>
    html`<a
      href="${viewLink(context, 'gaps', { ...linkParameters, ...changes })}"
      ${isOn && html` aria-current="true"`}
      >${words}</a>`;
  return html`<div>
    <nav class="tabs" aria-label="Form">
      ${link({ view: undefined, status: undefined }, 'Board', view === 'board')}
      ${link({ view: 'list', status }, 'List', view === 'list')}
    </nav>
    ${
      view === 'list' &&
      html`<nav class="tabs" aria-label="Status">
        ${actionStatuses.map((each) => link({ status: each }, statusWords[each], each === status))}
      </nav>`
    }
    <nav class="tabs" aria-label="Priority">
      ${[undefined, ...actionPriority.options].map((each) => link({ priority: each }, each ?? 'every priority', each === priority))}
    </nav>
    ${
      engines.length > 1 &&
      html`<nav class="tabs" aria-label="Engine">
        ${[undefined, ...engines].map((each) => link({ engine: each }, each === undefined ? 'every engine' : engineName(each), each === engine))}
      </nav>`
    }
    <p class="actions">
      <a
        class="button small"
        href="${viewLink(context, 'gaps', { ...linkParameters, format: 'csv' })}">Export</a>
      ${shareLink(context)}
    </p>
  </div>`;
}
