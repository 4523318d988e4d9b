import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { SubjectWordList } from '../refusals/workspaces.ts';
import type { DataTables } from '../storage/schema.ts';
import type { ParsedWords } from './subject-words.ts';

/**
 * Refuses words that another live subject of the workspace has, because a mention could not be
 * assigned to one of them. Throws a `Refusal` that names the other subject.
 */
export async function refuseTaken(
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
