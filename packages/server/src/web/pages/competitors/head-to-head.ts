import { engineName } from '../../../values/engine.ts';
import type { Html } from '../../markup/html.ts';
import { html } from '../../markup/html.ts';
import type {
  CompetitorSite,
  HeadToHead,
  PairCount,
  PairedPromptRow,
} from '../../../reports/head-to-head.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { notFound } from '../../request/page-fault.ts';
import { changeCell, rateCell, sovCell } from '../../markup/figures.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { csvOf, table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { ownerTag } from '../sources/source-columns.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { rateRuler } from '../../charts/ruler.ts';

/**
 * The page that compares the brand with one competitor: where each is cited, and the prompts behind
 * it.
 */
export const headToHeadRoute: WorkspaceRoute = {
  method: 'GET',
  path: '/w/:slug/competitors/:id',
  role: 'viewer',
  dependsOn: () => '',
  run: show,
};

const promptsMax = 100;
const sitesMax = 20;

async function show(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const competitorId = pathPart(context, 'id').toLowerCase();
  const report = await context.reports.read('headToHead', { ...runFilters(view), competitorId });
  if (report === null) throw notFound();
  const { competitor, prompts } = report;
  const filters = await context.reports.read('filters', {});
  const brand = filters.brandName ?? 'You';
  const names = { brand, rival: competitor.name };
  if (isCsv) return csvOf(context, 'head-to-head', promptColumns(context, names), prompts);
  const controls = viewControls(context, view, { ...filters, hasCsv: true });
  const content = html`${report.total.runs === 0 ? html`<p class="notice">No counted answer fits. Choose other days or filters.</p>` : parts(context, report, brand)}`;
  const lead = html`<a href="${viewLink(context, 'competitors')}">All competitors</a>,
    ${periodWords(view.period)}, UTC`;
  const title = `${brand} and ${competitor.name}`;
  return { page: workspacePage(context, { title, lead, controls, content }) };
}

function parts(
  context: WorkspaceContext,
  { competitor, subjects, engines, total, prompts, sites, surfaces }: HeadToHead,
  brand: string,
): Html {
  const rival = competitor.name;
  const rates = [
    { where: surfaces.head === 'app' ? 'every app' : 'every API', subjects },
    ...engines.map((one) => ({ where: engineName(one.engine), subjects: one.subjects })),
  ].flatMap((one) => one.subjects.map((row) => ({ where: one.where, row })));
  return html`<section>
      <h2>Answers</h2>
      ${counts(total, { brand, rival })} ${surfaceNote(surfaces)}
    </section>
    <section>
      <h2>Rates on each engine</h2>
      ${table({ caption: 'Rates on each engine', columns: rateColumns, empty: '' }, rates)}
    </section>
    <section>
      <h2>The prompts behind it</h2>
      <p class="hint">
        First those where most answers cite ${rival} and not
        ${brand}.${prompts.length > promptsMax && ` These are ${promptsMax} of ${prompts.length}; the CSV file has all.`}
      </p>
      ${table(
        { caption: 'Prompts', columns: promptColumns(context, { brand, rival }), empty: '' },
        prompts.slice(0, promptsMax),
      )}
    </section>
    <section>
      <h2>Sources of answers that cite ${rival}</h2>
      <p class="hint">
        Of ${amount(total.both + total.onlyCompetitor, 'answer')} that cite ${rival}.
      </p>
      ${table(
        {
          caption: `Sources of answers that cite ${rival}`,
          columns: siteColumns(context, brand),
          empty: `No answer that cites ${rival} cites a source.`,
        },
        sites.slice(0, sitesMax),
      )}
    </section>`;
}

function counts(
  { runs, both, onlyBrand, onlyCompetitor, neither }: PairCount,
  { brand, rival }: { brand: string; rival: string },
): Html {
  const all = [
    [`Only ${rival}`, onlyCompetitor],
    ['Both', both],
    [`Only ${brand}`, onlyBrand],
    ['Neither', neither],
  ] as const;
  return html`<dl class="figures">
      ${all.map(
        ([words, count]) =>
          html`<div>
            <dt>${words}</dt>
            <dd>${thousands(count)}</dd>
          </div>`,
      )}
    </dl>
    <p class="hint">Of ${amount(runs, 'counted answer')}, by who is cited.</p>`;
}

type RateLine = { readonly where: string; readonly row: HeadToHead['subjects'][number] };

const rateColumns: ReadonlyArray<Column<RateLine>> = [
  { title: 'Engine', cell: ({ where }) => where },
  { title: 'Name', cell: ({ row }) => row.name },
  { title: 'Drawn', cell: ({ row }) => rateRuler(row), isDrawn: true },
  { title: 'Appears in', cell: ({ row }) => rateCell(row), isNumber: true },
  { title: 'Change', cell: ({ row }) => changeCell(row, 'rate') },
  { title: 'Share of voice', cell: ({ row }) => sovCell(row), isNumber: true },
];

function promptColumns(
  context: WorkspaceContext,
  { brand, rival }: { brand: string; rival: string },
): ReadonlyArray<Column<PairedPromptRow>> {
  return [
    {
      title: 'Prompt',
      cell: ({ promptId, text, locale }) =>
        html`<a href="${viewLink(context, `prompts/${promptId}`)}" lang="${locale}">${text}</a>`,
      csv: ({ text }) => text,
    },
    {
      title: 'Locale',
      cell: ({ locale }) => html`<span class="tag">${locale}</span>`,
      csv: ({ locale }) => locale,
    },
    numbers('Answers', ({ runs }) => runs),
    numbers(`Only ${rival}`, ({ onlyCompetitor }) => onlyCompetitor),
    numbers('Both', ({ both }) => both),
    numbers(`Only ${brand}`, ({ onlyBrand }) => onlyBrand),
    numbers('Neither', ({ neither }) => neither),
  ];
}

function siteColumns(
  context: WorkspaceContext,
  brand: string,
): ReadonlyArray<Column<CompetitorSite>> {
  return [
    {
      title: 'Site',
      cell: ({ site }) =>
        html`<a href="${viewLink(context, `sources/${encodeURIComponent(site)}`)}">${site}</a>`,
    },
    { title: 'Owner', cell: ({ owner }) => ownerTag(owner) },
    numbers('Appears in', ({ runs }) => runs),
    numbers(`Without ${brand}`, ({ gapRuns }) => gapRuns),
  ];
}

function numbers<Row>(title: string, value: (row: Row) => number): Column<Row> {
  return { title, cell: (row) => thousands(value(row)), csv: value, isNumber: true };
}
