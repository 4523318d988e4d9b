import type { SubjectRow } from '@overheard/contract';
import { readAliases, readDomains } from '../storage/queries/read-subject-words.ts';
import type { ReportSource } from './report-source.ts';

/** Reads all subjects, including archived ones: the brand first, then competitors by name. */
export async function readSubjectRows({ db, workspaceId }: ReportSource): Promise<SubjectRow[]> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'subject_type', 'name', 'archived_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('subject_type')
    .orderBy('name')
    .orderBy('id')
    .execute();
  const aliasesOf = await readAliases(db, workspaceId);
  const domainsOf = await readDomains(db, workspaceId);
  return subjects.map(({ id, subject_type: type, name, archived_at }) => ({
    id,
    type,
    name,
    // The name is stored as the first alias.
    aliases: aliasesOf(id).flatMap(({ alias }) => (alias === name ? [] : [alias])),
    domains: domainsOf(id),
    archived_at,
  }));
}
