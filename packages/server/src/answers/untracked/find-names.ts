import { foldWord } from './words.ts';
import { isCommonWord } from '../detection/names/common-words.ts';
import { calendarAndMapWords, labels } from './ordinary-words.ts';
import { hasCapitalNouns, namePartsMax } from './name-counts.ts';
import type { NameCount } from './name-counts.ts';

/** A name that recurs and is not tracked. */
export interface RecurringName {
  readonly name: string;
  /** Folded. */
  readonly key: string;
  readonly count: NameCount;
  /** A site with the same name. */
  readonly site: string | undefined;
}

const answersMin = 3;
const lengthMax = 60;
/**
 * A longer name replaces a shorter name that it begins with if at least this share of the shorter
 * name's answers contain it.
 */
const longerShare = 0.9;
const beginsMin = 0.3;
const acronymBeginsMin = 0.5;
/** Models and versions: `U2723QE`, `UltraSharp`, `XPS`. */
const product = /\d|\p{Ll}\p{Lu}|^\p{Lu}+$/u;
const describedMax = 0.3;
const behindTrackedMax = 0.3;
const withinMax = 0.5;
const acronym = /^\p{Lu}{2,5}$/u;
/** Endings of German nouns that name no company. */
const germanNoun = /(?:ung|heit|keit|schaft|tion|tionen|ungen|tät|ismus|nis|ment|barkeit)$/u;

/** The counts over all answers. */
export interface CountedNames {
  readonly names: ReadonlyMap<string, NameCount>;
  readonly within: ReadonlyMap<string, number>;
  /** Sites that answers link to, except those of subjects. */
  readonly sites: ReadonlySet<string>;
  /** Languages of the prompts. */
  readonly languages: readonly string[];
  /** Whether a folded name is tracked, or is a word of a tracked name. */
  readonly isTracked: (key: string) => boolean;
  /** Whether a folded word also occurs without a capital. */
  readonly isAlsoLower: (key: string) => boolean;
}

/** Finds the names that recur, those in most answers first. */
export function findNames(counted: CountedNames): RecurringName[] {
  const { names, sites, languages } = counted;
  const plain = new Set(languages.flatMap((language) => [...calendarAndMapWords(language)]));
  const siteOfName = new Map([...sites].map((site) => [bareName(site.split('.')[0] ?? ''), site]));
  const followers = followersOf(names);
  return [...names]
    .filter(([key]) => !key.includes(' '))
    .map(([key, count]) =>
      isShortened(key, counted) ? ([key, count] as const) : lengthen(key, count, followers),
    )
    .filter(([key]) => !plain.has(key) && !labels.has(key) && !counted.isTracked(key))
    .map(([key, count]) => ({
      key,
      name: spellingOf(count),
      count,
      site: siteOfName.get(bareName(key)),
    }))
    .filter((name) => isSure(name, counted))
    .toSorted(
      (left, right) => right.count.answers - left.count.answers || (left.key < right.key ? -1 : 1),
    );
}

/**
 * Whether one word is enough to match a name with its site, as for `Le Creuset`. A short or an
 * ordinary word isn't, as in `Mint Mobile`.
 */
function isShortened(key: string, { isAlsoLower }: CountedNames): boolean {
  return key.length > 3 && !isCommonWord(key) && !isAlsoLower(key);
}

type NameEntry = readonly [key: string, count: NameCount];

/** For each name, the longer names that begin with it. */
function followersOf(
  names: ReadonlyMap<string, NameCount>,
): ReadonlyMap<string, readonly NameEntry[]> {
  return Map.groupBy(
    [...names].filter(([key]) => key.includes(' ')),
    ([key]) => key.slice(0, key.lastIndexOf(' ')),
  );
}

function lengthen(
  key: string,
  count: NameCount,
  followers: ReadonlyMap<string, readonly NameEntry[]>,
): NameEntry {
  let name: NameEntry = [key, count];
  for (let length = 1; length < namePartsMax; length += 1) {
    const longer = followers
      .get(name[0])
      ?.find(([, one]) => one.answers >= longerShare * count.answers);
    if (longer === undefined || product.test(spellingOf(longer[1]).split(' ').at(-1) ?? '')) break;
    name = longer;
  }
  return name;
}

function isSure(
  { key, name, count, site }: RecurringName,
  { within, languages, isAlsoLower }: CountedNames,
): boolean {
  const { answers, inside, begins, lead, places, described, behindTracked } = count;
  if (answers < answersMin || key.length < 2 || key.length > lengthMax) return false;
  if (described > describedMax * places || behindTracked > behindTrackedMax * places) return false;
  if ((within.get(key) ?? 0) > withinMax * answers) return false;
  if (site !== undefined) return true;
  if (begins < beginsMin * answers || /\d/.test(name)) return false;
  if (acronym.test(name)) return begins >= acronymBeginsMin * answers;
  if (inside === 0 && languages.some(hasCapitalNouns)) {
    return lead > 0 && 10 * described <= places && !germanNoun.test(name) && !isCommonWord(name);
  }
  if (!key.includes(' ') && isCommonWord(name)) {
    return 2 * inside >= answers || (inside > 0 && !isAlsoLower(key));
  }
  return inside > 0 || lead >= answersMin;
}

function spellingOf({ spellings }: NameCount): string {
  const [most] = [...spellings].toSorted(
    ([left, often], [right, more]) => more - often || (left < right ? -1 : 1),
  );
  return most?.[0] ?? '';
}

/** A name as sites spell it: `deLonghi` is `delonghi`. */
export function bareName(text: string): string {
  return foldWord(text).replace(/[^\p{L}\p{N}]/gu, '');
}
