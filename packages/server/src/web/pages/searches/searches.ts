import { searches } from '@overheard/contract';
import type { SearchRow } from '@overheard/contract';
import { searchCells, searchWords } from '../../../reports/searches.ts';
import { thousands } from '../../../values/plural.ts';
import { engineName } from '../../../values/engine.ts';
import { sampleNote } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { periodWords, shortDay } from '../../parts/moment-words.ts';
import { columnsOfFields, counts, csvOf, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { get } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';

/** The page of what engines search for. */
export const searchesRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/searches', 'viewer', showSearches, { dependsOn: () => '' }),
];

async function showSearches(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context, {});
  const report = await context.reports.read('searches', runFilters(view));
  const { searched, rows, queries } = report;
  if (isCsv) {
    const columns = columnsOfFields(searches.fields);
    return csvOf(context, 'searches', columns, rows.map(searchCells));
  }
  const filters = await context.reports.read('filters', {});
  const content = html`<section>
    <h1 class="story">${searchWords(report)}</h1>
    ${rows.length > 0 && html`<p class="hint">${sampleNote([searched])}; a gap is an answer with a competitor and without you.${queries > rows.length && ` The ${thousands(rows.length)} most frequent queries are shown.`}</p>`}
    ${table(
      {
        caption: 'What engines search for',
        columns: columnsOf(context, searched),
        empty: html`Answers of APIs that say what they searched for appear here, and imported ones with
          a column of queries. Answers that Overheard asked for with an earlier version get theirs by
          <code>${context.command(`overheard collect reread --workspace ${context.workspace.slug} --apply`)}</code>.`,
      },
      rows,
    )}
  </section>`;
  const controls = viewControls(context, view, { ...filters, saysSearch: false, hasCsv: true });
  const lead = `${periodWords(view.period)}, UTC`;
  return workspacePage(context, { title: 'Searches', lead, controls, content });
}

function columnsOf(context: WorkspaceContext, searched: number): Columns<SearchRow> {
  return [
    { title: 'Query', cell: ({ query }) => html`<span dir="auto" data-foreign>${query}</span>` },
    {
      title: 'Answers',
      cell: (row) =>
        html`<span class="figure" data-n="${searched}"><b>${thousands(row.runs)}</b></span>`,
      isNumber: true,
    },
    counts('Prompts', (row) => row.prompts),
    counts('With you', (row) => row.brand_runs),
    counts('Gaps', (row) => row.gap_runs),
    { title: 'Engines', cell: ({ engines }) => engines.map(engineName).join(', ') },
    {
      title: 'Sites in the answers',
      cell: ({ sites }) =>
        sites.map(
          (site) =>
            html`<a href="${viewLink(context, `sources/${encodeURIComponent(site)}`)}">${site}</a> `,
        ),
    },
    { title: 'Last searched', cell: ({ last_searched_at: at }) => shortDay(at, context.clock()) },
  ];
}
