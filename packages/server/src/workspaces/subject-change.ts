import { nearest } from '@overheard/contract';
import { Refusal } from '../refusals.ts';
import type { SubjectWordList } from '../refusals/workspaces.ts';
import { aliasKey, fold, parseDomain, parsePath } from './words.ts';
import type { Alias } from '../values/alias.ts';
import type { Subject } from './subject.ts';
import type { SubjectWords } from './words.ts';

/**
 * A change of a subject. A given list replaces the whole list. Additions and removals are applied
 * after that.
 */
export interface SubjectChange {
  readonly name?: string;
  readonly aliases?: readonly Alias[];
  readonly addAliases?: readonly Alias[];
  /** Aliases to remove, exactly as written, of any kind. */
  readonly removeAliases?: readonly string[];
  readonly domains?: readonly string[];
  readonly addDomains?: readonly string[];
  readonly removeDomains?: readonly string[];
  readonly paths?: readonly string[];
  readonly addPaths?: readonly string[];
  readonly removePaths?: readonly string[];
}

/**
 * Applies a change to the words of a subject. Throws a `Refusal` if a word to remove is missing.
 */
export function applySubjectChange(
  subject: Subject,
  {
    name = subject.name,
    aliases = subject.aliases,
    addAliases = [],
    removeAliases = [],
    domains = subject.domains,
    addDomains = [],
    removeDomains = [],
    paths = subject.paths,
    addPaths = [],
    removePaths = [],
  }: SubjectChange,
): SubjectWords {
  return {
    name,
    aliases: [...removeAliases.reduce(withoutAlias, aliases), ...addAliases],
    domains: [
      ...removeDomains.map(parseDomain).reduce(removeWordFrom('domain'), domains),
      ...addDomains,
    ],
    paths: [...removePaths.map(parsePath).reduce(removeWordFrom('path'), paths), ...addPaths],
  };
}

function withoutAlias(aliases: readonly Alias[], word: string): readonly Alias[] {
  const left = aliases.filter((alias) => alias.alias !== word && aliasKey(alias) !== fold(word));
  if (left.length < aliases.length) return left;
  throw wordRefusal(
    'alias',
    word,
    aliases.map(({ alias }) => alias),
  );
}

function removeWordFrom(
  list: SubjectWordList,
): (words: readonly string[], word: string) => readonly string[] {
  return (words, word) => {
    const left = words.filter((other) => other !== word);
    if (left.length < words.length) return left;
    throw wordRefusal(list, word, words);
  };
}

function wordRefusal(list: SubjectWordList, word: string, words: readonly string[]): Refusal {
  return new Refusal('subject_word_not_found', { list, word, nearest: nearest(word, words) });
}
