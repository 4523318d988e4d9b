import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { DataTables } from '../storage/schema.ts';
import { applySubjectChange } from './subject-change.ts';
import type { SubjectChange } from './subject-change.ts';
import { findSubject, versionOf } from './subject.ts';
import type { Subject } from './subject.ts';
import { parseSubjectWords } from './words.ts';
import type { ParsedWords, SubjectWords } from './words.ts';
import type { SubjectWordList } from '../refusals/workspaces.ts';

/*
 * Plans changes of subjects without writing them, so that a preview has the same checks and
 * refusals as the change itself.
 */

/** The `versionOf` the subject that the person has seen; undefined accepts any version. */
export interface SeenVersion {
  readonly version?: string | undefined;
}

/** The words of a new subject. Throws a `Refusal` if another subject has one of them. */
export async function planAddition(
  db: Kysely<DataTables>,
  workspaceId: string,
  { id, words }: { id: string; words: SubjectWords },
): Promise<ParsedWords> {
  const parsed = parseSubjectWords(words);
  await refuseTaken(db, workspaceId, { words: parsed, exceptId: id });
  return parsed;
}

/** A live subject, and its words after a change. */
export async function planChange(
  db: Kysely<DataTables>,
  workspaceId: string,
  idOrName: string,
  { version, ...change }: SubjectChange & SeenVersion,
): Promise<{ before: Subject; words: ParsedWords; hasChanged: boolean }> {
  const before = await findLive(db, workspaceId, idOrName);
  const words = parseSubjectWords(applySubjectChange(before, change));
  if (JSON.stringify(parseSubjectWords(before)) === JSON.stringify(words)) {
    return { before, words, hasChanged: false };
  }
  refuseChanged(before, version);
  await refuseTaken(db, workspaceId, { words, exceptId: before.id });
  return { before, words, hasChanged: true };
}

/** The competitor to archive. Throws a `Refusal` if it is the brand, or archived already. */
export async function planRemoval(
  db: Kysely<DataTables>,
  workspaceId: string,
  idOrName: string,
  { version }: SeenVersion = {},
): Promise<Subject> {
  const subject = await findLive(db, workspaceId, idOrName);
  refuseChanged(subject, version);
  if (subject.subject_type !== 'brand') return subject;
  throw new Refusal('brand_not_removable', { name: subject.name });
}

/** Refuses the second of two simultaneous changes, which would undo the first. */
function refuseChanged(subject: Subject, version: string | undefined): void {
  if (version === undefined || version === versionOf(subject)) return;
  throw new Refusal('subject_changed', { name: subject.name });
}

async function findLive(
  db: Kysely<DataTables>,
  workspaceId: string,
  idOrName: string,
): Promise<Subject> {
  const subject = await findSubject(db, workspaceId, idOrName);
  if (subject.archived_at === null) return subject;
  throw new Refusal('subject_removed', { name: subject.name, id: subject.id });
}

/**
 * Refuses words that another live subject of the workspace has, because a mention could not be
 * assigned to one of them. Throws a `Refusal` that names the other subject.
 */
async function refuseTaken(
  db: Kysely<DataTables>,
  workspaceId: string,
  { words, exceptId }: { words: ParsedWords; exceptId: string },
): Promise<void> {
  const alias = await db
    .selectFrom('subject_aliases')
    .select(['alias as word', 'subject_id'])
    .where('workspace_id', '=', workspaceId)
    .where(
      'folded',
      'in',
      words.aliases.map(({ folded }) => folded),
    )
    .where('subject_id', '!=', exceptId)
    .orderBy('folded')
    .executeTakeFirst();
  if (alias !== undefined) throw await takenRefusal(db, workspaceId, 'alias', alias);
  await refuseTakenDomains(db, workspaceId, { words, exceptId });
  await refuseTakenPaths(db, workspaceId, { words, exceptId });
}

async function refuseTakenDomains(
  db: Kysely<DataTables>,
  workspaceId: string,
  { words: { domains }, exceptId }: { words: ParsedWords; exceptId: string },
): Promise<void> {
  if (domains.length === 0) return;
  const domain = await db
    .selectFrom('subject_domains')
    .select(['domain as word', 'subject_id'])
    .where('workspace_id', '=', workspaceId)
    .where('domain', 'in', domains)
    .where('subject_id', '!=', exceptId)
    .orderBy('domain')
    .executeTakeFirst();
  if (domain !== undefined) throw await takenRefusal(db, workspaceId, 'domain', domain);
}

/**
 * Refuses only the same path, because within another subject's domain or path the longest one
 * counts.
 */
async function refuseTakenPaths(
  db: Kysely<DataTables>,
  workspaceId: string,
  { words: { paths }, exceptId }: { words: ParsedWords; exceptId: string },
): Promise<void> {
  if (paths.length === 0) return;
  const path = await db
    .selectFrom('subject_paths')
    .select(['path as word', 'subject_id'])
    .where('workspace_id', '=', workspaceId)
    .where('path', 'in', paths)
    .where('subject_id', '!=', exceptId)
    .orderBy('path')
    .executeTakeFirst();
  if (path !== undefined) throw await takenRefusal(db, workspaceId, 'path', path);
}

async function takenRefusal(
  db: Kysely<DataTables>,
  workspaceId: string,
  list: SubjectWordList,
  { word, subject_id }: { word: string; subject_id: string },
): Promise<Refusal> {
  const owner = await db
    .selectFrom('subjects')
    .select(['name', 'subject_type'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', subject_id)
    .executeTakeFirstOrThrow();
  return new Refusal('subject_word_taken', {
    list,
    word,
    owner: { type: owner.subject_type, name: owner.name, id: subject_id },
  });
}
