import type { Kysely } from 'kysely';
import { CommandError } from '../problems.ts';
import type { DataTables } from '../storage/schema.ts';
import type { ParsedWords } from './subject-words.ts';

/**
 * Refuses words that another live subject of the workspace has: an answer that names both by one
 * word would count for neither. Throws a `CommandError` that names the other subject.
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
  if (alias !== undefined) throw await taken(db, workspaceId, 'name or alias', alias);
  if (words.domains.length === 0) return;
  const domain = await db
    .selectFrom('subject_domains')
    .select(['domain as word', 'subject_id'])
    .where('workspace_id', '=', workspaceId)
    .where('domain', 'in', words.domains)
    .where('subject_id', '!=', exceptId)
    .orderBy('domain')
    .executeTakeFirst();
  if (domain !== undefined) throw await taken(db, workspaceId, 'domain', domain);
}

async function taken(
  db: Kysely<DataTables>,
  workspaceId: string,
  what: string,
  { word, subject_id }: { word: string; subject_id: string },
): Promise<CommandError> {
  const owner = await db
    .selectFrom('subjects')
    .select(['name', 'subject_type'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', subject_id)
    .executeTakeFirstOrThrow();
  return new CommandError(
    `"${word}" is a ${what} of the ${owner.subject_type} "${owner.name}" already (${subject_id}). Each belongs to one subject.`,
  );
}
