import { z } from 'zod';
import { nameLengthMax, parseName } from '../../../people/name.ts';
import { makeReportLink, reportLinkDays, revokeReportLink } from '../../../people/report-links.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import { PageFault, notInWorkspace } from '../../request/page-fault.ts';
import { isShareable, shareablePages } from '../../parts/shareable.ts';
import type { ShareablePage } from '../../parts/shareable.ts';
import { readParameters } from '../../request/parameters.ts';
import { alertNotice } from '../../parts/fields.ts';
import { authorOf, get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { newLinkNotice, reportLinksPage } from './report-link-list.ts';
import { logoRoutes } from './logo.ts';
import { sharedPages } from './shared.ts';

const path = '/w/:slug/settings/links';

/** Report links: the list, and the forms on it. */
export const reportLinksRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', show),
  post(path, 'admin', 'make a report link', make),
  post(`${path}/revoke`, 'admin', 'revoke a report link', revoke),
  ...logoRoutes,
];

const viewLengthMax = 2000;
const querySchema = z.object({ page: z.string().optional(), view: z.string().optional() });

function show(context: WorkspaceContext): Promise<Result> {
  const { page = 'overview', view = '' } = readParameters(context, querySchema);
  return reportLinksPage(context, { chosenPage: { page: checkPage(context, page, view), view } });
}

/** Checks the page to share. Throws if it cannot be shared, or if its query is invalid. */
function checkPage(context: WorkspaceContext, page: string, view: string): ShareablePage {
  if (!isShareable(page) || view.length > viewLengthMax) {
    throw notShareable();
  }
  const target = `/w/${context.workspace.slug}/${shareablePages[page].path}?${view}`;
  const shared = { target, csv: '', hasTexts: false };
  // Refuse the address of a page's file, because a link shows a page, and a list of reports.
  const { isCsv, isList = false } = sharedPages[page].check({ ...context, shared });
  if (isCsv || isList) throw notShareable();
  return page;
}

function notShareable(): PageFault {
  return new PageFault(400, 'This page can’t be shared', 'Open the page, and share it from there.');
}

async function make(context: WorkspaceContext): Promise<Result> {
  const fields = ['form', 'name', 'page', 'view', 'days', 'texts'] as const;
  const typed = readForm(context.request.body, fields);
  const page = checkPage(context, typed.page, typed.view);
  const chosenPage = { page, view: typed.view };
  const name = parseName(typed.name);
  const days = /^\d{1,3}$/.test(typed.days) ? Number(typed.days) : 0;
  const faults = faultsOf({
    name:
      name === undefined ? `Name the recipient in at most ${nameLengthMax} characters.` : undefined,
    days:
      days < 1 || days > reportLinkDays.max
        ? `It must be a number of days from 1 to ${reportLinkDays.max}.`
        : undefined,
  });
  if (name === undefined || Object.keys(faults).length > 0) {
    return reportLinksPage(context, { chosenPage, form: { typed, faults }, status: 400 });
  }
  context.reply.header('Cache-Control', 'no-store');
  const link = {
    id: formId(typed.form),
    workspace_id: context.workspace.id,
    name,
    ...chosenPage,
    has_texts: typed.texts === 'on',
  };
  const making = { days, userId: personOf(context).user.id, clock: context.clock };
  const token = await unlessDuplicate(makeReportLink(context.store.access, link, making));
  if (token !== undefined) {
    return reportLinksPage(context, {
      chosenPage,
      notice: newLinkNotice(context, { token, name }),
    });
  }
  const notice = alertNotice(
    'warn',
    'No second link was made.',
    'This form was sent before. A link is shown once: revoke it and make another if you have not stored it.',
  );
  return reportLinksPage(context, { chosenPage, notice, status: 409 });
}

async function revoke(context: WorkspaceContext): Promise<Result> {
  const { link: id } = readForm(context.request.body, ['link']);
  const { id: workspaceId, slug } = context.workspace;
  if (!(await revokeReportLink(context.store.access, { workspaceId, id }, authorOf(context)))) {
    throw notInWorkspace('report link');
  }
  return { redirect: `/w/${slug}/settings/links` };
}
