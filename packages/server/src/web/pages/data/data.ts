import { closeSync } from 'node:fs';
import { z } from 'zod';
import { readUsualLocale } from '../../../answers/paste-prompts.ts';
import { findImport, listImports, parseImportNumber } from '../../../imports/list-imports.ts';
import { findJob } from '../../../jobs/jobs.ts';
import { allows } from '../../../people/roles.ts';
import { faultOf, notInWorkspace } from '../../request/page-fault.ts';
import { emptyForm, formId, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { addJob, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { noParameters } from '../../request/parameters.ts';
import { columnsForm, readColumns, refusedImport } from './columns-form.ts';
import { exportPart } from './export.ts';
import { importForm, importProgress, readImport } from './import-form.ts';
import { importList, revertProgress } from './import-list.ts';
import { changeTexts, pageTextsPart } from './page-texts-part.ts';
import {
  archive,
  refusedName,
  removeIt,
  removePart,
  retentionPart,
  saveName,
  saveRetention,
  workspacePart,
} from './workspace-part.ts';
import { changeSite, refusedSite, sitesPart } from './sites-part.ts';
import { formFault } from '../../parts/fields.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { receiveFile } from '../../request/receive-file.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const path = '/w/:slug/settings/data';

/** The page of data: imports, exports, and removing the workspace. */
export const dataRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', show),
  post(`${path}/import`, 'editor', 'import a file', importFile, {
    takesFile: true,
    onRefusal: (context, refusal) =>
      dataPage(context, { notice: formFault(refusalText(refusal)), status: 503 }),
  }),
  post(`${path}/columns`, 'editor', 'say what the columns of a file are', importColumns),
  post(
    `${path}/texts`,
    'editor',
    'take a page’s text off the count, or count it again',
    changeTexts,
  ),
  post(`${path}/revert`, 'editor', 'revert an import', takeBack, {
    onRefusal: faultOf('import_not_found', () => notInWorkspace('import')),
  }),
  ...(['add', 'remove'] as const).map((action) =>
    post<WorkspaceContext>(
      `${path}/sites/${action}`,
      'editor',
      `${action} an own site`,
      async (context) => afterForm(context, await changeSite(context, action)),
      {
        onRefusal: (context, refusal) =>
          refusal.code.startsWith('domain_')
            ? afterForm(context, refusedSite(context, refusal))
            : undefined,
      },
    ),
  ),
  post(`${path}/keep`, 'admin', 'set for how long addresses are kept', async (context) =>
    afterForm(context, await saveRetention(context)),
  ),
  post(`${path}/rename`, 'operator', 'rename a workspace', rename, {
    onRefusal: (context, refusal) => afterForm(context, refusedName(context, refusal)),
  }),
  post(`${path}/archive`, 'operator', 'archive a workspace or bring it back', async (context) =>
    afterForm(context, await archive(context)),
  ),
  post(`${path}/remove`, 'operator', 'remove a workspace', remove),
];

const importsMax = 50;
const jobForm = z.looseObject({ job: z.string().catch('') });
const busyWords =
  'Another import of this workspace is under way, so this file was not imported. Send it again when that has ended.';

function show(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  return dataPage(context);
}

/** Shows the page, section by section. */
async function dataPage(
  context: WorkspaceContext,
  {
    form = emptyForm,
    columns,
    notice,
    status = 200,
  }: { form?: FormState; columns?: FormState; notice?: Content; status?: number } = {},
): Promise<Result> {
  const { id: workspaceId } = context.workspace;
  const { reader } = context.store;
  const job = await latestJob(context, 'import');
  const revert = await latestJob(context, 'revert');
  const rows = await listImports(reader, workspaceId, { limit: importsMax + 1 });
  const imports = rows.slice(0, importsMax);
  const mayChange = allows(context.role, 'editor');
  const refused = mayChange && job !== undefined ? refusedImport(job) : undefined;
  const usualLocale =
    refused &&
    ((await readUsualLocale(reader, workspaceId)) ?? context.workspace.locale ?? undefined);
  const list = { imports, isMore: rows.length > importsMax, mayRevert: mayChange };
  const content = html`${notice} ${
    refused === undefined
      ? job !== undefined && importProgress(context, job)
      : columnsForm(context, refused, { form: columns, usualLocale })
  }
  ${revert !== undefined && revertProgress(context, revert)}
  ${mayChange && importForm(context, form)}
  ${
    imports.length > 0
      ? importList(context, list)
      : !mayChange &&
        job === undefined &&
        html`<p class="notice">No file was imported here yet.</p>`
  }
  ${await pageTextsPart(context)} ${exportPart(context)} ${await sitesPart(context, form)} ${await retentionPart(context, form)}
  ${context.role === 'operator' && [workspacePart(context, form), removePart(context, form)]}`;
  const lead = html`What comes into this workspace, and what goes out.
    <a href="/w/${context.workspace.slug}/settings/history">Who did what</a>`;
  return workspacePage(context, { title: 'Import and export', lead, content, status });
}

/** Opens the page again after a form, or shows the form if it has a fault. */
function afterForm(context: WorkspaceContext, form: FormState | undefined) {
  if (form !== undefined) return dataPage(context, { form, status: 400 });
  return { redirect: `/w/${context.workspace.slug}/settings/data` };
}

async function rename(context: WorkspaceContext): Promise<Result> {
  const renamed = await saveName(context);
  if ('faults' in renamed) return afterForm(context, renamed);
  return { redirect: `/w/${renamed.slug}/settings/data` };
}

async function remove(context: WorkspaceContext): Promise<Result> {
  const form = await removeIt(context);
  return form === undefined ? { redirect: '/' } : afterForm(context, form);
}

/** Imports a file, unless its form was sent before. Closes it unless the runner takes it. */
async function importFile(context: WorkspaceContext): Promise<Result> {
  const { access } = context.store;
  const { id: workspaceId } = context.workspace;
  const { body, file } = await receiveFile(
    context,
    async ({ form }) =>
      typeof form === 'string' && (await findJob(access, { workspaceId, id: form })) === undefined,
  );
  let isTaken = false;
  try {
    const { work, id, form } = readImport(body, file, context);
    const place = `/w/${context.workspace.slug}/settings/data`;
    const key = { workspaceId, id };
    if (file === undefined && (await findJob(access, key)) !== undefined) {
      return { redirect: place };
    }
    if (work === undefined || file === undefined)
      return await dataPage(context, { form, status: 400 });
    isTaken = true;
    const userId = personOf(context).user.id;
    const addition = await context.runner.add({ ...key, work, userId, fd: file.fd });
    if (addition !== 'busy') return { redirect: place };
    return await dataPage(context, { form, notice: formFault(busyWords), status: 409 });
  } finally {
    if (!isTaken && file !== undefined) closeSync(file.fd);
  }
}

/** Imports a refused file again, with what the person says about its columns. */
async function importColumns(context: WorkspaceContext): Promise<Result> {
  const { id: workspaceId, slug } = context.workspace;
  const { job: typed } = jobForm.parse(context.request.body ?? {});
  const id = formId(typed);
  const job = await findJob(context.store.access, { workspaceId, id });
  const refused = job && refusedImport(job);
  const place = `/w/${slug}/settings/data`;
  if (refused === undefined) return { redirect: place };
  const read = readColumns(context.request.body, refused);
  if ('form' in read) return dataPage(context, { columns: read.form, status: 400 });
  const work = { ...refused.work, columns: read.columns, hasNewEngine: true };
  const retry = await context.runner.retry({ workspaceId, id, work });
  if (retry !== 'busy') return { redirect: place };
  return dataPage(context, {
    columns: { typed: {}, faults: {} },
    notice: formFault(busyWords),
    status: 409,
  });
}

async function takeBack(context: WorkspaceContext): Promise<Result> {
  const { form, import: typed } = readForm(context.request.body, ['form', 'import']);
  const { id: workspaceId, slug } = context.workspace;
  const number = parseImportNumber(typed) ?? 0;
  const record = await findImport(context.store.reader, workspaceId, number);
  const work = { kind: 'revert', importId: record.id, file: record.file } as const;
  if ((await addJob(context, form, work)) !== 'busy') {
    return { redirect: `/w/${slug}/settings/data` };
  }
  const words = 'Another import is being reverted. Try again when that has ended.';
  return dataPage(context, { notice: formFault(words), status: 409 });
}
