import { isPublicSuffix } from '../../values/sites/site.ts';
import { isSharedHost } from '../../values/sites/owned-path.ts';
import { createDetector } from '../detection/detect.ts';
import type { Alias } from '../../values/alias.ts';
import { foldString } from '../detection/text/fold.ts';
import { isCommonWord } from '../detection/names/common-words.ts';
import { inflect } from './inflect.ts';
import { variantsOf } from './variants.ts';

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
