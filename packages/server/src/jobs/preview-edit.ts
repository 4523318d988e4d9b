import type { Kysely } from 'kysely';
import { previewSubjects } from '../answers/redetect/preview-subjects.ts';
import type { SubjectPreview } from '../answers/redetect/preview-tally.ts';
import { adviseSubject } from '../answers/spellings/advise.ts';
import type { Advice } from '../answers/spellings/advise.ts';
import type { TrackedSubject } from '../answers/subjects.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { planAddition, planChange, planRemoval } from '../workspaces/plan-subject.ts';
import type { Subject } from '../workspaces/subject.ts';
import type { SubjectEdit } from './work.ts';

/** The effect of a change of a subject, with advice on its words. */
export interface EditPreview {
  readonly preview: SubjectPreview;
  /** Undefined if the subject would be archived. */
  readonly advice: Advice | undefined;
}

/**
 * Judges the latest answers by the changed subjects. Throws the same `Refusal` as the change
 * itself.
 */
export async function previewEdit(
  { reader }: Store,
  { workspaceId, edit, signal }: { workspaceId: string; edit: SubjectEdit; signal: AbortSignal },
): Promise<EditPreview> {
  const { before, planned } = await planEdit(reader, workspaceId, edit);
  const { id } = edit;
  const preview = await previewSubjects(reader, workspaceId, {
    change: { id, subject: planned },
    signal,
  });
  if (planned === undefined) return { preview, advice: undefined };
  const earlier = before && {
    aliases: [{ alias: before.name }, ...before.aliases],
    domains: before.domains,
  };
  const about = { id, planned, ...(earlier !== undefined && { before: earlier }) };
  return { preview, advice: await adviseSubject(reader, workspaceId, about) };
}

/**
 * Plans a change: the subject before and after it. Throws a `Refusal` if the change cannot be made.
 */
export async function planEdit(
  db: Kysely<DataTables>,
  workspaceId: string,
  edit: SubjectEdit,
): Promise<{ before: Subject | undefined; planned: TrackedSubject | undefined }> {
  const { id } = edit;
  if (edit.action === 'archive') {
    return { before: await planRemoval(db, workspaceId, id, edit), planned: undefined };
  }
  if (edit.action === 'add') {
    const words = await planAddition(db, workspaceId, edit);
    return { before: undefined, planned: { ...words, id, type: 'competitor' } };
  }
  const { version } = edit;
  const { before, words } = await planChange(db, workspaceId, id, { ...edit.words, version });
  return { before, planned: { ...words, id, type: before.subject_type } };
}
