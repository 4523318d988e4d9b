import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { readSubjects } from '../subjects.ts';
import type { TrackedSubject } from '../subjects.ts';
import { adviseWords } from './advise.ts';
import type { Advice } from './advise.ts';

/** Words that a subject had before. They get no advice again. */
export interface EarlierWords {
  readonly aliases: ReadonlyArray<{ readonly alias: string }>;
  readonly domains: readonly string[];
}

/**
 * Advises on the new words of a live subject, in the languages of the workspace's prompts.
 * `planned` is the changed subject, if the change is not stored yet.
 */
export async function adviseSubject(
  db: Kysely<DataTables>,
  workspaceId: string,
  { id, before, planned }: { id: string; before?: EarlierWords; planned?: TrackedSubject },
): Promise<Advice> {
  const subjects = await readSubjects(db, workspaceId);
  const subject = planned ?? subjects.find((one) => one.id === id);
  if (subject === undefined)
    return { ambiguous: [], sharedDomains: [], publicSuffixes: [], spellings: [] };
  const wordsBefore = new Set(before?.aliases.map(({ alias }) => alias));
  const prompts = await db
    .selectFrom('prompts')
    .select('language')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .orderBy('language')
    .execute();
  return adviseWords(
    {
      aliases: subject.aliases.filter(({ alias }) => !wordsBefore.has(alias)),
      domains: subject.domains.filter((domain) => before?.domains.includes(domain) !== true),
    },
    {
      languages: prompts.map(({ language }) => language),
      allAliases: subject.aliases,
      others: subjects
        .filter((one) => one.id !== id)
        .flatMap(({ aliases }) => aliases.map(({ alias }) => alias)),
    },
  );
}
