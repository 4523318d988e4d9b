import { Refusal } from '../refusals.ts';
import { aliasKey, nameLengthMax, parseAlias } from './parse-alias.ts';
import type { Alias } from '../values/alias.ts';
import { parseDomain } from './domain.ts';
import { parsePath } from './path.ts';
import { cleanText, fold } from './text.ts';

/** The words of a subject as a person gave them. */
export interface SubjectWords {
  readonly name: string;
  readonly aliases?: readonly Alias[];
  /** Host names or pasted addresses. */
  readonly domains?: readonly string[];
  /** Paths on third-party sites, such as `github.com/acme`. */
  readonly paths?: readonly string[];
}

/** The words of a subject in normal form, without repetitions. */
export interface ParsedWords {
  readonly name: string;
  /** The name and every alias: unique by `folded`. */
  readonly aliases: ReadonlyArray<Alias & { readonly folded: string }>;
  readonly domains: readonly string[];
  readonly paths: readonly string[];
}

const wordsMax = 200;

/**
 * Brings the words of a subject into stored form. An alias that repeats the name decides how the
 * name is matched. Throws a `Refusal` for words that cannot be stored or contradict each other.
 */
export function parseSubjectWords({
  name,
  aliases = [],
  domains = [],
  paths = [],
}: SubjectWords): ParsedWords {
  const cleanName = cleanText(name, { field: 'name', lengthMax: nameLengthMax });
  const parsed: ParsedWords = {
    name: cleanName,
    aliases: uniqueAliases(cleanName, aliases.map(parseAlias)),
    domains: [...new Set(domains.map(parseDomain))].toSorted(),
    paths: [...new Set(paths.map(parsePath))].toSorted(),
  };
  if (Math.max(parsed.aliases.length, parsed.domains.length, parsed.paths.length) > wordsMax) {
    throw new Refusal('subject_words_too_many', { countMax: wordsMax });
  }
  return parsed;
}

/** The aliases that a person gave, without the row of the name itself. */
export function givenAliases(name: string, aliases: readonly Alias[]): Alias[] {
  return aliases
    .filter(({ alias, match }) => match !== 'default' || fold(alias) !== fold(name))
    .map(({ alias, match }) => ({ alias, match }));
}

function uniqueAliases(name: string, aliases: readonly Alias[]): ParsedWords['aliases'] {
  const nameKey = fold(name);
  const unique = new Map<string, Alias>();
  for (const alias of aliases) {
    const key = aliasKey(alias);
    const other = unique.get(key);
    if (other === undefined) unique.set(key, alias);
    else refuseContradiction(alias, other);
  }
  const ofName = unique.get(nameKey);
  if (ofName === undefined || ofName.match === 'default') {
    unique.set(nameKey, { alias: name, match: 'default' });
  }
  return [...unique]
    .map(([folded, alias]) => ({ ...alias, folded }))
    .toSorted((left, right) => (left.folded < right.folded ? -1 : 1));
}

function refuseContradiction(alias: Alias, other: Alias): void {
  if (alias.match === other.match && (alias.match !== 'exact' || alias.alias === other.alias))
    return;
  throw new Refusal('aliases_contradict', { aliases: [other, alias] });
}
