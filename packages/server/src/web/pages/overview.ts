import type { ShareRow } from '@overheard/contract';
import type { Overview } from '../../reports/overview.ts';
import { changeFigure, countFigure, rateFigure, sovFigure } from '../figures.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { dayWords } from '../parts/moments.ts';
import { nextSteps } from '../parts/next-steps.ts';
import { csvOf, table } from '../parts/table.ts';
import type { Column } from '../parts/table.ts';
import { viewControls } from '../parts/view-controls.ts';
import { workspacePage } from '../parts/workspace-page.ts';
import { readView } from '../view.ts';
import { workspaceOf } from '../visit.ts';
import type { Result, Route, Visit } from '../visit.ts';

/** How often engines cite the brand, and what a workspace lacks to show it. */
export const overviewRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/w/:slug',
    role: 'viewer',
    run: (visit) => ({ redirect: `/w/${workspaceOf(visit).slug}/` }),
  },
  { method: 'GET', path: '/w/:slug/', role: 'viewer', run: show },
];

async function show(visit: Visit): Promise<Result> {
  const { view, isCsv } = readView(visit);
  const overview = await visit.reports.read('overview', view.period);
  if (isCsv) return csvOf(visit, 'who-is-cited', columns, overview.subjects);
  const content = overview.runs === 0 ? await nextSteps(visit) : await figures(visit, overview);
  const { from, to } = view.period;
  const lead =
    overview.runs === 0
      ? 'What this workspace has, and what it needs to show how engines cite you.'
      : `${dayWords(from)} to ${dayWords(to)}, UTC.`;
  return { page: workspacePage(visit, { title: 'Overview', lead, content }) };
}

async function figures(visit: Visit, { subjects }: Overview): Promise<Html> {
  const { view } = readView(visit);
  const filters = await visit.reports.read('filters', {});
  const [brand] = subjects;
  return html`${viewControls(visit, view, { ...filters, csv: true })}
    ${
      brand !== undefined &&
      html`<section class="card">
        <h2>Cited in</h2>
        <p>${rateFigure(brand)}</p>
        <p>${changeFigure(brand, 'rate')}, in ${countFigure(brand.prompts, 'prompt')}</p>
      </section>`
    }
    <section class="card">
      <h2>Who is cited</h2>
      ${table({ caption: 'Who is cited', columns, empty: 'Nobody is cited.' }, subjects)}
    </section>`;
}

const columns: ReadonlyArray<Column<ShareRow>> = [
  { title: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  { title: 'Cited in', cell: rateFigure, csv: ({ rate }) => rate, isNumber: true },
  { title: 'Answers', cell: ({ runs }) => runs, csv: ({ runs }) => runs, isNumber: true },
  { title: 'Share of voice', cell: sovFigure, csv: ({ sov }) => sov, isNumber: true },
  { title: 'Change', cell: (row) => changeFigure(row, 'rate'), csv: (row) => row.rate_change },
  {
    title: 'Verdict',
    cell: ({ rate_verdict: verdict }) => verdict,
    csv: (row) => row.rate_verdict,
  },
];
