import { z } from 'zod';
import { findJob } from '../../../jobs/jobs.ts';
import { planEdit } from '../../../jobs/preview-edit.ts';
import { workSchema } from '../../../jobs/work.ts';
import type { SubjectEdit, Work } from '../../../jobs/work.ts';
import type { Refusal } from '../../../refusals.ts';
import { newId } from '../../../values/uuid.ts';
import { nameLengthMax } from '../../../workspaces/words.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import { notInWorkspace, PageFault } from '../../request/page-fault.ts';
import { formId, readForm } from '../../request/forms.ts';
import { addJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { noParameters, readParameters } from '../../request/parameters.ts';
import { refusalText, subjectFaults } from '../../request/refusal-text.ts';
import { editOf, isArchiving, previewHash, subjectFields, typedFields } from './subject-form.ts';
import type { TypedSubject } from './subject-form.ts';
import { get, pathPart, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { subjectPage } from './subject.ts';
import { showSubjectList } from './subject-list.ts';

const path = '/w/:slug/settings/subjects';

/** A name that was suggested: the form of a new subject shows it with its preview. */
const suggestedSchema = z.object({
  name: z.string().max(nameLengthMax).optional(),
  domain: z.string().max(nameLengthMax).optional(),
});

/** The tracked names: the list, and the form of each. */
export const subjectsRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showSubjectList),
  get(`${path}/:subject`, 'editor', show, {
    onRefusal: (context, refusal) => refuseChange(context, refusal, readSuggested(context)),
  }),
  post(
    `${path}/:subject`,
    'editor',
    'add, change or archive a competitor, or change the brand',
    async (context) =>
      lookOrSave(context, { subject: await findIt(context), typed: readSent(context) }),
    { onRefusal: (context, refusal) => refuseChange(context, refusal, readSent(context)) },
  ),
  post('/w/:slug/settings/redetect', 'editor', 'count the stored answers again', judgeAgain),
];

async function judgeAgain(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  if ((await addJob(context, form, { kind: 'redetect' })) !== 'busy') {
    return { redirect: `/w/${context.workspace.slug}/settings/subjects` };
  }
  throw new PageFault(
    409,
    'The answers are being counted already',
    'Open Brand and competitors to see the progress.',
  );
}

async function show(context: WorkspaceContext): Promise<Result> {
  const subject = await findIt(context);
  if (subject !== undefined) {
    noParameters(context);
    return subjectPage(context, { subject, form: { typed: typedFields(subject), faults: {} } });
  }
  const typed = readSuggested(context);
  return typed === undefined
    ? subjectPage(context, { subject })
    : lookOrSave(context, { subject, typed });
}

/** The fields of a new subject, with the name that a link suggests; undefined without one. */
function readSuggested(context: WorkspaceContext): TypedSubject | undefined {
  const { name, domain: domains = '' } = readParameters(context, suggestedSchema);
  if (name === undefined) return undefined;
  const empty = { version: '', seen: '', aliases: '', exact: '', patterns: '', paths: '' };
  return { ...empty, do: 'look', form: newId(context.clock), name, domains };
}

function readSent(context: WorkspaceContext): TypedSubject {
  const typed = readForm(context.request.body, subjectFields);
  formId(typed.form);
  return typed;
}

/** Responds with the preview of a change, or saves it. */
async function lookOrSave(
  context: WorkspaceContext,
  { subject, typed }: Pick<SubjectRequest, 'subject' | 'typed'>,
): Promise<Result> {
  const edit = editOf(subject, typed);
  await planEdit(context.store.reader, context.workspace.id, edit);
  const wantsSave = typed.do === 'save' || typed.do === 'archive';
  if (wantsSave && typed.seen === previewHash(edit)) return save(context, { subject, typed, edit });
  const notice =
    wantsSave &&
    warning('You changed the words after the preview. Nothing was saved: look again, then save.');
  return look(context, { subject, typed, edit, notice });
}

interface SubjectRequest {
  readonly subject: Subject | undefined;
  readonly typed: TypedSubject;
  readonly edit: SubjectEdit;
}

async function look(
  context: WorkspaceContext,
  { subject, typed, edit, notice }: SubjectRequest & { notice: Content },
): Promise<Result> {
  const preview = await context.runner.preview(context.workspace.id, edit);
  const shared = { subject, form: { typed, faults: {} }, previewed: previewHash(edit) };
  const isArchive = isArchiving(typed);
  if (preview !== undefined) return subjectPage(context, { ...shared, isArchive, preview, notice });
  const words =
    'The server is busy, and the preview takes too long. Try again, or save without it.';
  return subjectPage(context, { ...shared, isArchive, notice: warning(words), status: 503 });
}

async function save(
  context: WorkspaceContext,
  { subject, typed, edit }: SubjectRequest,
): Promise<Result> {
  const { store, runner } = context;
  const { id: workspaceId, slug } = context.workspace;
  const key = { workspaceId, id: typed.form.toLowerCase() };
  const work: Work = { kind: 'redetect', change: edit };
  const addition = await runner.add({ ...key, work, userId: personOf(context).user.id });
  if (addition === 'busy') {
    return subjectPage(context, {
      subject,
      form: { typed, faults: {} },
      previewed: typed.seen,
      isArchive: isArchiving(typed),
      notice: warning(
        'Another change of a name is just being applied. Nothing of this one was saved: save again when that has ended.',
      ),
      status: 409,
    });
  }
  const sentJob = addition === 'known' ? await findJob(store.access, key) : undefined;
  if (
    sentJob !== undefined &&
    JSON.stringify(sentJob.work) !== JSON.stringify(workSchema.parse(work))
  ) {
    throw new PageFault(
      409,
      'This form was sent before',
      'What you sent first was saved. Open the page again to change more.',
    );
  }
  return { redirect: `/w/${slug}/settings/subjects` };
}

/**
 * Shows the form again with its faults. If someone else changed the subject, the form gets the new
 * version.
 */
async function refuseChange(
  context: WorkspaceContext,
  refusal: Refusal,
  typed: TypedSubject | undefined,
): Promise<Result | PageFault | undefined> {
  if (typed === undefined) return undefined;
  const subject = await findIt(context);
  const isField = refusal.code !== 'subject_changed' && !refusal.code.startsWith('brand_');
  if (isField && refusal.code !== 'subject_removed') {
    const faults = subjectFaults(refusal, typed);
    return subjectPage(context, { subject, form: { typed, faults }, status: 400 });
  }
  if (refusal.code !== 'subject_changed' || subject === undefined) {
    const words = refusalText(refusal);
    return new PageFault(409, 'This name can’t be changed like this', words);
  }
  const stored = typedFields(subject);
  const notice = html`<div class="notice warn" role="alert">
    <p>
      <strong>Someone else changed ${subject.name} after you opened this form.</strong> Your changes
      were not saved, but they are still here. To replace theirs, look again and save.
    </p>
    <p>Stored now:</p>
    <pre tabindex="0"><code>${storedWords(stored)}</code></pre>
  </div>`;
  const form = { typed: { ...typed, version: stored['version'] ?? '' }, faults: {} };
  return subjectPage(context, { subject, form, notice, status: 409 });
}

function storedWords(stored: Readonly<Record<string, string>>): string {
  return Object.entries(stored)
    .filter(([name, words]) => name !== 'version' && words !== '')
    .map(([name, words]) => `${name}: ${words.replaceAll('\n', ', ')}`)
    .join('\n');
}

function warning(words: string): Content {
  return html`<p class="notice warn" role="alert">${words}</p>`;
}

/** The subject of the path; undefined for a new one. */
async function findIt(context: WorkspaceContext): Promise<Subject | undefined> {
  const id = pathPart(context, 'subject');
  if (id === 'new') return undefined;
  const { id: workspaceId } = context.workspace;
  const subjects = await listSubjects(context.store.reader, workspaceId, {
    includesArchived: true,
  });
  const subjectOfPath = subjects.find((subject) => subject.id === id);
  if (subjectOfPath === undefined) {
    throw notInWorkspace('competitor');
  }
  if (subjectOfPath.archived_at === null) return subjectOfPath;
  throw new PageFault(
    409,
    `${subjectOfPath.name} is archived`,
    'To track it again, add it as a competitor.',
  );
}
