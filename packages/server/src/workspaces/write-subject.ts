import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { newId } from '../values/uuid.ts';
import { unsettleDays } from '../storage/queries/unsettle-days.ts';
import { noteAllAnswers } from '../storage/note-changes.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { planAddition, planChange, planRemoval } from './plan-subject.ts';
import type { SeenVersion } from './plan-subject.ts';
import type { SubjectChange } from './subject-change.ts';
import { findSubject } from './subject.ts';
import type { Subject } from './subject.ts';
import type { ParsedWords, SubjectWords } from './words.ts';

/** Adds a competitor and returns it. Throws a `Refusal` if another subject has one of its words. */
export async function addSubject(
  store: Store,
  workspaceId: string,
  { clock, id = newId(clock), words }: { clock: () => number; id?: string; words: SubjectWords },
): Promise<Subject> {
  const { subject } = await writeWorkspace(store, workspaceId, async (transaction) => {
    await insertSubject(transaction, workspaceId, { id, type: 'competitor', words, clock });
    await noteAllAnswers(transaction, workspaceId);
    return { hasChanged: true, subject: await findSubject(transaction, workspaceId, id) };
  });
  return subject;
}

/** Changes the words of a live subject, including the brand. Its id and history stay. */
export async function setSubject(
  store: Store,
  workspaceId: string,
  idOrName: string,
  change: SubjectChange & SeenVersion,
): Promise<{ hasChanged: boolean; before: Subject; subject: Subject }> {
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const planned = await planChange(transaction, workspaceId, idOrName, change);
    const { before, words, hasChanged } = planned;
    if (!hasChanged) return { hasChanged, before, subject: before };
    await transaction
      .updateTable('subjects')
      .set({ name: words.name })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', before.id)
      .execute();
    await deleteWords(transaction, workspaceId, before.id);
    await insertWords(transaction, workspaceId, before.id, words);
    await noteAllAnswers(transaction, workspaceId);
    const subject = await findSubject(transaction, workspaceId, before.id);
    // The brand's domains are own sites.
    const isOwn =
      before.subject_type === 'brand' && !isDeepStrictEqual(before.domains, subject.domains);
    if (isOwn) await unsettleDays(transaction, workspaceId);
    return { hasChanged, before, subject };
  });
}

/**
 * Archives a competitor. Its id and history stay; its aliases, domains and paths become free for
 * others. Throws a `Refusal` for the brand, and for one that is archived already.
 */
export async function removeSubject(
  store: Store,
  workspaceId: string,
  idOrName: string,
  { version, clock }: SeenVersion & { clock: () => number },
): Promise<Subject> {
  const { subject } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const planned = await planRemoval(transaction, workspaceId, idOrName, { version });
    await transaction
      .updateTable('subjects')
      .set({ archived_at: new Date(clock()).toISOString() })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', planned.id)
      .execute();
    await deleteWords(transaction, workspaceId, planned.id);
    await noteAllAnswers(transaction, workspaceId);
    return { hasChanged: true, subject: planned };
  });
  return subject;
}

/** Inserts a subject with its words, in a transaction of the workspace. */
export async function insertSubject(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    clock,
    id = newId(clock),
    type,
    words,
  }: { id?: string; type: Subject['subject_type']; words: SubjectWords; clock: () => number },
): Promise<void> {
  const parsed = await planAddition(transaction, workspaceId, { id, words });
  await transaction
    .insertInto('subjects')
    .values({
      workspace_id: workspaceId,
      id,
      subject_type: type,
      name: parsed.name,
      created_at: new Date(clock()).toISOString(),
      archived_at: null,
    })
    .execute();
  await insertWords(transaction, workspaceId, id, parsed);
}

async function insertWords(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  id: string,
  { aliases, domains, paths }: ParsedWords,
): Promise<void> {
  const owner = { workspace_id: workspaceId, subject_id: id };
  await transaction
    .insertInto('subject_aliases')
    .values(aliases.map((alias) => ({ ...owner, ...alias })))
    .execute();
  if (domains.length > 0) {
    await transaction
      .insertInto('subject_domains')
      .values(domains.map((domain) => ({ ...owner, domain })))
      .execute();
  }
  if (paths.length > 0) {
    await transaction
      .insertInto('subject_paths')
      .values(paths.map((path) => ({ ...owner, path })))
      .execute();
  }
}

async function deleteWords(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  id: string,
): Promise<void> {
  for (const table of ['subject_aliases', 'subject_domains', 'subject_paths'] as const) {
    await transaction
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('subject_id', '=', id)
      .execute();
  }
}
