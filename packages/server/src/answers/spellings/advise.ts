import { isPublicSuffix } from '../../values/sites/site.ts';
import { isSharedHost } from '../../values/sites/owned-path.ts';
import { createDetector } from '../detection/detect.ts';
import type { Alias } from '../../values/alias.ts';
import { foldString } from '../detection/text/fold.ts';
import { isCommonWord } from '../detection/names/common-words.ts';
import { variantsOf } from './variants.ts';
import { dropEnding, stems } from '../detection/names/inflect.ts';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { readSubjects } from '../subjects.ts';
import type { TrackedSubject } from '../subjects.ts';

/** Spellings of a name with the case endings of a language, the most frequent first. */
type Inflect = (name: string) => readonly string[];

/**
 * Rules by the primary subtag of BCP 47. Languages whose endings detection takes off are not
 * listed.
 */
const byLanguage: ReadonlyMap<string, Inflect> = new Map<string, Inflect>([
  ['et', estonian],
  ['sk', slovak],
  ...['hr', 'sr', 'bs', 'sl'].map((tag): [string, Inflect] => [tag, southSlavic]),
  ['lt', lithuanian],
  ['lv', latvian],
  ['uk', ukrainian],
]);

/**
 * Inflects a name in the cases of a language, by its rules for foreign names. Only the last of
 * several words changes. Empty for other languages, and for names that the language does not
 * inflect.
 */
function inflect(name: string, language: string): readonly string[] {
  const forms = byLanguage.get(language.toLowerCase().split('-', 1)[0] ?? '')?.(name) ?? [];
  return [...new Set(forms)].filter((form) => form !== name);
}

const latin = /\p{Script=Latin}\p{M}*$/u;
const cyrillic = /\p{Script=Cyrillic}$/u;
const vowel = /[aeiouyäöüåõæøáéíóúýàèìòùâêîôûąęěůőű]$/iu;

/** Abbreviations are inflected with a colon, which ends a word, so detection finds them already. */
function isAbbreviation(name: string): boolean {
  return /(?:^|\s)[\p{Lu}\p{Nd}&]{2,}$/u.test(name);
}

function estonian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (vowel.test(name)) return stems(name, 't s st l lt le ga ks');
  return [`${name}i`, ...stems(`${name}i`, 't s st l lt le ga ks')];
}

function slovak(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ia')) return stems(dropEnding(name), 'e i u ou');
  if (name.endsWith('a')) return stems(dropEnding(name), 'y e u ou');
  if (name.endsWith('o')) return stems(dropEnding(name), 'a u om');
  return vowel.test(name) ? [] : stems(name, 'u om e a ovi');
}

function southSlavic(name: string): readonly string[] {
  if (isAbbreviation(name)) return [];
  if (cyrillic.test(name)) {
    if (name.endsWith('а')) return stems(dropEnding(name), 'е и у ом');
    return /[бвгджзклмнпрстфхцчш]$/iu.test(name) ? stems(name, 'а у ом') : [];
  }
  if (!latin.test(name)) return [];
  if (name.endsWith('a')) return stems(dropEnding(name), 'e i u om o');
  if (name.endsWith('o')) return stems(dropEnding(name), 'a u om');
  return vowel.test(name) ? [] : stems(name, 'a u om');
}

function lithuanian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('as')) return stems(dropEnding(name, 2), 'o ui ą u e');
  if (name.endsWith('a')) return stems(dropEnding(name), 'os ai ą oje');
  return vowel.test(name) ? [] : stems(name, 'o ui ą u e');
}

function latvian(name: string): readonly string[] {
  if (!latin.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('s')) return stems(dropEnding(name), 'a am u ā');
  if (name.endsWith('a')) return stems(dropEnding(name), 'as ai u ā');
  return vowel.test(name) ? [] : stems(name, 'a am u ā');
}

function ukrainian(name: string): readonly string[] {
  if (!cyrillic.test(name) || isAbbreviation(name)) return [];
  if (name.endsWith('ія')) return stems(dropEnding(name), 'ї ю єю');
  if (name.endsWith('я')) return stems(dropEnding(name), 'і ю ею');
  if (name.endsWith('а')) return stems(dropEnding(name), 'и і у ою');
  if (name.endsWith('й')) return stems(dropEnding(name), 'я ю єм ї');
  if (name.endsWith('ь')) return stems(dropEnding(name), 'я ю ем і');
  return /[бвгґджзклмнпрстфхцчшщ]$/iu.test(name) ? stems(name, 'а у ові ом і') : [];
}

/** Spellings that detection does not find yet. */
export interface SpellingGroup {
  /** The language (BCP 47) of their case endings; null for other kinds of spelling. */
  readonly language: string | null;
  readonly spellings: readonly string[];
}

/** Advice on the words of a subject. Overheard changes none of them by itself. */
export interface Advice {
  /** Names and aliases that match in any case although they are everyday words or two letters. */
  readonly ambiguous: readonly string[];
  /** Domains of sites that many subjects share: every link to them counts. */
  readonly sharedDomains: readonly string[];
  /** Domains under which anybody may register, so the sites below them belong to others. */
  readonly publicSuffixes: readonly string[];
  readonly spellings: readonly SpellingGroup[];
}

/** Most spellings in one group. */
const spellingsMax = 10;

/** The words of a subject: aliases with the name among them, and domains. */
export interface AdvisedWords {
  readonly aliases: readonly Alias[];
  readonly domains?: readonly string[];
}

/** The context in which the words are judged. */
interface AdviceContext {
  /**
   * Languages of the workspace's prompts. Case endings are suggested for languages that inflect
   * names.
   */
  readonly languages?: readonly string[];
  /** All aliases of the subject, if the words are only the new ones. */
  readonly allAliases?: readonly Alias[];
  /** Aliases of other subjects. */
  readonly others?: readonly string[];
}

/**
 * Advises on the words of a subject: which are too common, and which other spellings are worth an
 * alias. Spellings that detection finds already, or that another subject has, are not suggested.
 */
export function adviseWords(
  { aliases, domains = [] }: AdvisedWords,
  { languages = [], allAliases = aliases, others = [] }: AdviceContext = {},
): Advice {
  const words = aliases.filter(({ match }) => match !== 'pattern').map(({ alias }) => alias);
  const detect = createDetector([{ id: '', type: 'brand', aliases: allAliases, domains: [] }]);
  const otherNames = new Set(others.map(foldString));
  const tags = [...new Set(languages.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? ''))];
  const general = words.flatMap((word) => variantsOf(word, tags));
  const groups = [
    { language: null, spellings: take(general.filter((spelling) => !isCommonWord(spelling))) },
    ...tags.map((language) => ({
      language,
      spellings: take(
        words.flatMap((word) => inflect(word, language)),
        language,
      ),
    })),
  ];
  return {
    ambiguous: aliases
      .filter(({ match }) => match === 'default')
      .map(({ alias }) => alias)
      .filter((alias) => isCommonWord(alias) || isTwoCapitals(alias)),
    sharedDomains: domains.filter(isSharedHost),
    publicSuffixes: domains.filter(isPublicSuffix),
    spellings: groups.filter(({ spellings }) => spellings.length > 0),
  };

  /** The first spellings that no alias finds yet. */
  function take(candidates: readonly string[], language?: string): string[] {
    const spellings: string[] = [];
    for (const spelling of candidates) {
      const folded = foldString(spelling);
      if (spellings.length === spellingsMax) break;
      if (otherNames.has(folded) || isFound(spelling, language)) continue;
      otherNames.add(folded);
      spellings.push(spelling);
    }
    return spellings;
  }

  /** Whether the aliases find a spelling: `Acme` also finds `The Acme`. */
  function isFound(spelling: string, language: string | undefined): boolean {
    return detect(spelling, [], language).detections.some(({ isCited }) => isCited);
  }
}

/** In any case, `HP` also matches `hp`. */
function isTwoCapitals(alias: string): boolean {
  return /^\p{Lu}{2}$/u.test(alias);
}

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
