import { shares } from '@overheard/contract';
import type { PublishedRow, ShareRow } from '@overheard/contract';
import { z } from 'zod';
import { allows } from '../../../people/roles.ts';
import {
  daysOfMonth,
  lastMonth,
  publishesMonths,
  setMonthly,
} from '../../../publishing/publish-months.ts';
import { isUnfinished, parsePublished } from '../../../reports/published/compose.ts';
import type { PublishedFigures } from '../../../reports/published/compose.ts';
import type { Period } from '../../../reports/shares/windows.ts';
import { countPublishedReports, findPublishedReport } from '../../../storage/published-reports.ts';
import type { StoredReport } from '../../../storage/published-reports.ts';
import { newId } from '../../../values/uuid.ts';
import { partFigure } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { fold } from '../../parts/fold.ts';
import { dayWords, periodWords } from '../../parts/moment-words.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { shareLink, viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readParameters } from '../../request/parameters.ts';
import { authorOf, forMembers, get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { faultOf, notInWorkspace, unreadableForm } from '../../request/page-fault.ts';
import type { PageView } from '../../request/view.ts';
import { figureParts, withoutRuns } from '../overview/overview.ts';
import { periodOf } from '../../../api/request/period.ts';
import { publishReport, unpublishReport } from '../../../publishing/publish-report.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { formId, readForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';

const querySchema = z.object({
  id: z.uuid({ error: 'It must be the id of a published report.' }).optional(),
  format: z.enum(['csv']).optional(),
});

/** The query of the page: a published report, or their list. */
export function readReportQuery(context: WorkspaceContext) {
  const { id, format } = readParameters(context, querySchema);
  return { id: id?.toLowerCase(), isList: id === undefined, isCsv: format === 'csv' };
}

/** Shows a published report from its stored bytes, or the list. */
export async function showReports(context: WorkspaceContext): Promise<Result> {
  const { store, workspace } = context;
  const { id, isCsv } = readReportQuery(context);
  if (id === undefined) return listPage(context);
  const stored = await findPublishedReport(store.reader, workspace.id, id);
  if (stored === undefined) throw notInWorkspace('published report');
  const figures = parsePublished(stored.body);
  return isCsv ? fileOf(context, stored, figures) : reportPage(context, stored, figures);
}

/** The subjects' figures, each row with the hash of the report that it is from. */
function fileOf(
  context: WorkspaceContext,
  { sha256 }: StoredReport,
  { id, from, to, page }: PublishedFigures,
): Result {
  const columns: Columns<ShareRow> = [
    ...columnsOfFields(shares.fields),
    { title: 'report_id', csv: () => id },
    { title: 'report_sha256', csv: () => sha256 },
  ];
  return csvOf(context, `report-${from}-to-${to}`, columns, page.subjects);
}

async function reportPage(
  context: WorkspaceContext,
  { sha256 }: StoredReport,
  figures: PublishedFigures,
): Promise<Result> {
  const { id, from, to, tag, published_at: publishedAt, page: overview } = figures;
  const { slug } = context.workspace;
  const query = new URLSearchParams({ from, to, ...(tag !== null && { tag }) }).toString();
  const today = `/w/${slug}/?${query}`;
  const period = { from, to };
  const view: PageView = { period, tag: tag ?? undefined, competitorPrompts: 'include' };
  const inPeriod = { ...context, target: today };
  const { publishedBy: by } = overview;
  const content = html`<p class="notice">
      Published on ${dayWords(publishedAt)}${by !== undefined && html` by <span data-foreign>${by}</span>`};
      figures as of then${isUnfinished(figures) && ', before the period had ended'}.
      ${forMembers(context, html`<a href="${today}">Today’s figures</a>`)}
    </p>
    ${overview.brand === null ? withoutRuns(inPeriod, overview) : figureParts(inPeriod, { overview, view })}
    ${context.shared === undefined && (await recountPart(context, id))}
    <section>
      <p class="hint">SHA-256 of the stored figures: ${sha256.slice(0, 32)}<wbr />${sha256.slice(32)}</p>
      ${forMembers(
        context,
        fold(
          'How to check them',
          html`<p>They are stored as the API responds, so this gives the same hash:</p>
            <p><code>${`curl -s -H "Authorization: Bearer $KEY" "${context.publicUrl()}/api/v1/reports?id=${id}" | sha256sum`}</code></p>`,
        ),
      )}
      ${allows(context.role, 'admin') && buttonForm(`/w/${slug}/reports/unpublish`, { id }, 'Remove this published report', { look: 'small danger' })}
    </section>`;
  const file = html`<a class="button small" href="/w/${slug}/reports?id=${id}&amp;format=csv">Export</a>`;
  const controls =
    context.shared === undefined
      ? {
          chip: 'Published',
          content: html`<print-page></print-page>${file} ${shareLink(context)}`,
        }
      : viewControls(context, view, { hasCsv: true });
  const title = `Report of ${monthWords(period)}`;
  const lead = tag === null ? undefined : `Prompts with the tag ${tag}`;
  return workspacePage(context, { title, lead, controls, content });
}

/** How a recount of today differs, and why. It is not part of the stored report. */
async function recountPart(context: WorkspaceContext, id: string): Promise<Content> {
  const row = await context.reports.read('recountedReport', { id });
  if (row === null || row.recount === null) return undefined;
  const { surfaces: now, sentences } = row.recount;
  // The first sentence has figures, which say their sample on a page.
  const [, ...reasons] = sentences;
  const isSame = JSON.stringify(now) === JSON.stringify(row.surfaces);
  return html`<section id="recount">
    <h2>A recount of today</h2>
    <p>
      A recount finds
      ${isSame ? 'the same for the brand: ' : 'for the brand '}${surfaceFigures(now)}${!isSame && html`; published were ${surfaceFigures(row.surfaces)}`}.
    </p>
    ${reasons.length > 0 && html`<ul>${reasons.map((words) => html`<li data-foreign>${words}</li>`)}</ul>`}
  </section>`;
}

/** `41 % of 903 answers in apps`, and the same of APIs. */
function surfaceFigures(surfaces: PublishedRow['surfaces']): Content {
  if (surfaces.length === 0) return 'no counted answers';
  return surfaces.map(
    ({ surface, cited, runs }, place) =>
      html`${place > 0 && ', '}${partFigure(cited, runs, 'answer')} in ${surface === 'app' ? 'apps' : 'APIs'}`,
  );
}

async function listPage(context: WorkspaceContext): Promise<Result> {
  const { store, workspace } = context;
  const rows = await context.reports.read('publishedReports', {});
  const count = await countPublishedReports(store.reader, workspace.id);
  const isMonthly = await publishesMonths(store, workspace.id);
  const content = html`<section>
      ${table(
        {
          caption: 'Published reports',
          columns: columnsOf(context),
          empty:
            'None yet. Publish a month below, or open Overview, choose a period and press Publish.',
        },
        rows,
      )}
      ${
        count > rows.length &&
        html`<p class="hint">
          The last ${rows.length} of ${count}. The command <code>overheard report published ID</code>
          shows an older one.
        </p>`
      }
    </section>
    <section>${publishPart(context)} ${monthlyPart(context, isMonthly)}</section>`;
  const lead = 'They stay as they were, whatever is imported, removed or judged again later.';
  return workspacePage(context, { title: 'Published reports', lead, content });
}

function columnsOf({ workspace }: WorkspaceContext): Columns<PublishedRow> {
  return [
    {
      title: 'Period',
      cell: ({ id, tag, ...period }) =>
        html`<a href="/w/${workspace.slug}/reports?id=${id}">${monthWords(period)}</a>
          ${tag !== null && html`<span class="tag" data-foreign>${tag}</span>`}`,
    },
    { title: 'You appeared in', cell: ({ surfaces }) => surfaceFigures(surfaces) },
    {
      title: 'Published',
      cell: (row) =>
        `${dayWords(row.published_at)}${isUnfinished(row) ? ', before the period had ended' : ''}`,
    },
    {
      title: 'SHA-256',
      cell: ({ sha256 }) =>
        html`<code title="${sha256 ?? ''}">${(sha256 ?? '').slice(0, 12)}…</code>`,
    },
  ];
}

/** `October 2026` for a whole month, else the days. */
function monthWords({ from, to }: Period): string {
  const month = daysOfMonth(from.slice(0, 7));
  if (month.from !== from || month.to !== to) return periodWords({ from, to });
  return dayWords(from).replace(/^\d+ /, '');
}

function publishPart(context: WorkspaceContext): Content {
  if (!allows(context.role, 'editor')) return undefined;
  const month = daysOfMonth(lastMonth(context.clock()));
  const fields = { form: newId(context.clock), ...month, tag: '' };
  const action = `/w/${context.workspace.slug}/reports`;
  return buttonForm(action, fields, `Publish ${monthWords(month)}`, { look: '' });
}

function monthlyPart(context: WorkspaceContext, isOn: boolean): Html {
  const words = isOn
    ? 'The report of each month is published on the first day of the next one.'
    : 'Months are not published by themselves.';
  const action = `/w/${context.workspace.slug}/reports/monthly`;
  return html`<p class="hint">${words}</p>
    ${allows(context.role, 'admin') && buttonForm(action, { on: isOn ? '' : 'on' }, isOn ? 'Stop that' : 'Publish each month')}`;
}

const path = '/w/:slug/reports';

/** Published reports, and the forms that publish and remove them. */
export const publishedRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showReports),
  post(path, 'editor', 'publish a report', publish),
  post(`${path}/unpublish`, 'admin', 'remove a published report', unpublish, {
    onRefusal: faultOf('report_not_found', () => notInWorkspace('published report')),
  }),
  post(`${path}/monthly`, 'admin', 'publish each month', switchMonthly),
];

const { from, to, tag } = shares.query.shape;
const formSchema = z.object({ from: from.nonoptional(), to: to.nonoptional(), tag });

async function publish(context: WorkspaceContext): Promise<Result> {
  const { store, workspace, clock } = context;
  const typed = readForm(context.request.body, ['form', 'from', 'to', 'tag']);
  const parsed = formSchema.safeParse({ ...typed, tag: typed.tag || undefined });
  if (!parsed.success) throw unreadableForm('Open the page again, and send it from there.');
  const nowMs = clock();
  if (parsed.data.from > utcDay(nowMs)) throw unreadableForm('Choose a period that has begun.');
  const { user } = personOf(context);
  const id = formId(typed.form);
  const body = await context.reports.read('publication', {
    ...periodOf(parsed.data, utcDay(nowMs)),
    tag: parsed.data.tag,
    id,
    publishedAt: new Date(nowMs).toISOString(),
    publishedBy: user.name,
  });
  await publishReport(store, workspace.id, { body, author: authorOf(context) });
  return { redirect: `/w/${workspace.slug}/reports?id=${id}` };
}

async function unpublish(context: WorkspaceContext): Promise<Result> {
  const { store, workspace } = context;
  const { id } = readForm(context.request.body, ['id']);
  await unpublishReport(store, workspace.id, { id, author: authorOf(context) });
  return { redirect: `/w/${workspace.slug}/reports` };
}

async function switchMonthly(context: WorkspaceContext): Promise<Result> {
  const { store, workspace, clock } = context;
  const isOn = readForm(context.request.body, ['on']).on === 'on';
  await setMonthly(store, workspace.id, { isOn, nowMs: clock() });
  await note(context, isOn ? 'months_published' : 'months_not_published');
  return { redirect: `/w/${workspace.slug}/reports` };
}
