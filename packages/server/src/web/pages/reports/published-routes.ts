import { shares } from '@overheard/contract';
import { z } from 'zod';
import { periodOf } from '../../../api/request/period.ts';
import { setMonthly } from '../../../publishing/publish-months.ts';
import { publishReport, unpublishReport } from '../../../publishing/publish-report.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { formId, readForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { notInWorkspace, unreadableForm } from '../../request/page-fault.ts';
import { showReports } from './published-reports.ts';

const path = '/w/:slug/reports';

/** Published reports, and the forms that publish and remove them. */
export const publishedRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showReports),
  post(path, 'editor', 'publish a report', publish),
  post(`${path}/unpublish`, 'admin', 'remove a published report', unpublish, {
    onRefusal: (_, { code }) =>
      code === 'report_not_found' ? notInWorkspace('published report') : undefined,
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
  const author = { userId: user.id, clock };
  await publishReport(store, workspace.id, { body, author });
  return { redirect: `/w/${workspace.slug}/reports?id=${id}` };
}

async function unpublish(context: WorkspaceContext): Promise<Result> {
  const { store, workspace, clock } = context;
  const { id } = readForm(context.request.body, ['id']);
  const author = { userId: personOf(context).user.id, clock };
  await unpublishReport(store, workspace.id, { id, author });
  return { redirect: `/w/${workspace.slug}/reports` };
}

async function switchMonthly(context: WorkspaceContext): Promise<Result> {
  const { store, workspace, clock } = context;
  const isOn = readForm(context.request.body, ['on']).on === 'on';
  await setMonthly(store, workspace.id, { isOn, nowMs: clock() });
  await note(context, isOn ? 'months_published' : 'months_not_published');
  return { redirect: `/w/${workspace.slug}/reports` };
}
