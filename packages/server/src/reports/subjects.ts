import type { SubjectRow } from '@overheard/contract';
import type { ReportSource } from './report-source.ts';

/** All subjects, archived ones too: the brand first, then competitors by name. */
export async function readSubjectRows({ db, workspaceId }: ReportSource): Promise<SubjectRow[]> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'subject_type', 'name', 'archived_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('subject_type')
    .orderBy('name')
    .orderBy('id')
    .execute();
  const aliases = await db
    .selectFrom('subject_aliases')
    .select(['subject_id', 'alias'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
    .execute();
  const domains = await db
    .selectFrom('subject_domains')
    .select(['subject_id', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('domain')
    .execute();
  const aliasesOf = Map.groupBy(aliases, (row) => row.subject_id);
  const domainsOf = Map.groupBy(domains, (row) => row.subject_id);
  return subjects.map(({ id, subject_type: type, name, archived_at }) => ({
    id,
    type,
    name,
    // The name is stored as the first alias.
    aliases: (aliasesOf.get(id) ?? []).flatMap(({ alias }) => (alias === name ? [] : [alias])),
    domains: (domainsOf.get(id) ?? []).map(({ domain }) => domain),
    archived_at,
  }));
}
