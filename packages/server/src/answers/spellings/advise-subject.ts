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
  if (subject === undefined) return noAdvice;
  const wordsBefore = new Set(before?.aliases.map(({ alias }) => alias));
  return adviseWords(
    {
      aliases: subject.aliases.filter(({ alias }) => !wordsBefore.has(alias)),
      domains: subject.domains.filter((domain) => before?.domains.includes(domain) !== true),
    },
    {
      languages: await readPromptLanguages(db, workspaceId),
      allAliases: subject.aliases,
      others: subjects
        .filter((one) => one.id !== id)
        .flatMap(({ aliases }) => aliases.map(({ alias }) => alias)),
    },
  );
}

/** The languages of a workspace's prompts. */
export async function readPromptLanguages(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<readonly string[]> {
  const prompts = await db
    .selectFrom('prompts')
    .select('language')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .orderBy('language')
    .execute();
  return prompts.map(({ language }) => language);
}

/**
 * Advises on the case endings of every subject, the brand first, in languages that the prompts have
 * and did not have before: a subject is made before its prompts.
 */
export async function adviseNewLanguages(
  db: Kysely<DataTables>,
  workspaceId: string,
  languagesBefore: readonly string[],
): Promise<ReadonlyArray<{ readonly name: string; readonly advice: Advice }>> {
  const known = new Set(languagesBefore);
  const all = await readPromptLanguages(db, workspaceId);
  const languages = all.filter((language) => !known.has(language));
  if (languages.length === 0) return [];
  const subjects = await readSubjects(db, workspaceId);
  return subjects
    .toSorted((left, right) => Number(right.type === 'brand') - Number(left.type === 'brand'))
    .map(({ id, name, aliases }) => {
      const others = subjects
        .filter((one) => one.id !== id)
        .flatMap((one) => one.aliases.map(({ alias }) => alias));
      const { spellings } = adviseWords({ aliases }, { languages, others });
      const inflected = spellings.filter(({ language }) => language !== null);
      return { name, advice: { ...noAdvice, spellings: inflected } };
    })
    .filter(({ advice }) => advice.spellings.length > 0);
}

const noAdvice: Advice = { ambiguous: [], sharedDomains: [], publicSuffixes: [], spellings: [] };
