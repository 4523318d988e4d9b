import { shares } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import type { Competitors } from '../../../reports/competitors.ts';
import { changeCell, rateCell, sovCell } from '../../markup/figures.ts';
import { engineName } from '../../../values/engine.ts';
import { addJob, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { columnsOfFields, csvOf, drawn, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { headToHeadRoute } from './head-to-head.ts';
import { rateRuler } from '../../charts/ruler.ts';
import { untrackedPart } from './untracked-part.ts';
import type { Refusal } from '../../../refusals.ts';
import { dismissName, restoreName } from '../../../workspaces/dismissed-names.ts';
import { PageFault } from '../../request/page-fault.ts';
import { readForm } from '../../request/forms.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { authorOf, get, post } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';

const path = '/w/:slug/competitors';

async function look(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  // An unfinished search does the same, so ignore `busy`.
  await addJob(context, form, { kind: 'suggest' });
  return { redirect: placeOf(context) };
}

async function dismiss(context: WorkspaceContext): Promise<Result> {
  const { name: typed, do: wanted } = readForm(context.request.body, ['name', 'do']);
  const { id: workspaceId } = context.workspace;
  const isBack = wanted === 'restore';
  const { hasChanged, name } = await (isBack
    ? restoreName(context.store, workspaceId, { name: typed })
    : dismissName(context.store, workspaceId, { name: typed, ...authorOf(context) }));
  const kind = isBack ? 'name_restored' : 'name_dismissed';
  if (hasChanged) await note(context, kind, { name });
  return { redirect: `${placeOf(context)}#untracked` };
}

function refuseName(_context: WorkspaceContext, refusal: Refusal): PageFault | undefined {
  if (!refusal.code.startsWith('text_')) return undefined;
  return new PageFault(400, "This isn't a name", refusalText(refusal));
}

function placeOf(context: WorkspaceContext): string {
  return `/w/${context.workspace.slug}/competitors`;
}

/**
 * The page of competitors: who is cited on all engines and on each, and names that nobody tracks.
 */
export const competitorsRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showCompetitors, {
    dependsOn: (context) => latestJob(context, 'suggest'),
  }),
  headToHeadRoute,
  post(`${path}/look`, 'editor', 'look for names that nobody tracks', look),
  post(`${path}/dismiss`, 'editor', 'dismiss a name, or restore it', dismiss, {
    onRefusal: refuseName,
  }),
];

export async function showCompetitors(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const { subjects, engines, surfaces } = await context.reports.read(
    'competitors',
    runFilters(view),
  );
  if (isCsv) {
    const each = engines.flatMap((one) => one.subjects);
    return csvOf(context, 'competitors', columnsOfFields(shares.fields), [...subjects, ...each]);
  }
  const filters = await context.reports.read('filters', {});
  const controls = viewControls(context, view, { ...filters, hasCsv: true });
  const content = html`<section>
      ${table(
        {
          title: 'Who appears',
          columns: columnsOf(context),
          empty: html`No counted answer fits, and imported scores name no competitors. Choose other
            days or filters, or
            <a href="/w/${context.workspace.slug}/settings/data">import answers</a>.`,
        },
        subjects,
      )}
      ${subjects.length > 0 && surfaceNote(context, surfaces)}
    </section>
    ${engines.length > 1 && heatPart(context, subjects, engines)}
    ${context.shared === undefined && (await untrackedPart(context, await latestJob(context, 'suggest')))}`;
  const lead = periodWords(view.period);
  return workspacePage(context, { title: 'Competitors', lead, controls, content });
}

function columnsOf(context: WorkspaceContext): Columns<ShareRow> {
  return [
    { title: 'Name', cell: (row) => nameOf(context, row) },
    drawn(rateRuler),
    { title: 'Appears in', cell: rateCell, isNumber: true },
    { title: 'Change', cell: (row) => changeCell(row, 'rate') },
    { title: 'Share of voice', cell: sovCell, isNumber: true },
    { title: 'Its change', cell: (row) => changeCell(row, 'sov') },
  ];
}

/** Every name on every engine: the darker a figure, the higher it is. */
function heatPart(
  context: WorkspaceContext,
  subjects: readonly ShareRow[],
  engines: Competitors['engines'],
): Html {
  const onEngine = ({ engine, subjects: rows }: Competitors['engines'][number]) => ({
    title: engineName(engine),
    cell: ({ subject_id: id }: ShareRow) => heatCell(rows.find((row) => row.subject_id === id)),
    isNumber: true,
  });
  const columns = [
    { title: 'Name', cell: (row: ShareRow) => nameOf(context, row) },
    ...engines.map(onEngine),
  ];
  return html`<section class="by-engine">
    ${table({ title: 'By engine', columns, empty: '' }, subjects)}
  </section>`;
}

function heatCell(row: ShareRow | undefined): Content {
  if (row === undefined) return '–';
  return html`<span class="heat" data-heat="${Math.ceil((row.rate ?? 0) * 4)}">${rateCell(row)}</span>`;
}

/** A subject's name. That of a competitor links to its comparison with the brand. */
function nameOf(
  context: WorkspaceContext,
  { subject_id: id, subject_type: type, name }: ShareRow,
): Content {
  if (type === 'brand') return html`<strong>${name}</strong> <span class="tag">you</span>`;
  return html`<a href="${viewLink(context, `competitors/${id}`)}">${name}</a>`;
}
