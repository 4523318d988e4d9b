import { CommandError } from '../problems.ts';
import { aliasKey } from './alias.ts';
import type { Alias } from '../values/alias.ts';
import { parseDomain } from './domain.ts';
import { quoted, suggestion } from './sentences.ts';
import type { Subject } from './subject.ts';
import type { SubjectWords } from './subject-words.ts';
import { fold } from './text.ts';

/** What to change of a subject. A list that is given replaces the whole list; then come additions and removals. */
export interface SubjectChange {
  readonly name?: string;
  readonly aliases?: readonly Alias[];
  readonly addAliases?: readonly Alias[];
  /** As they are written, of any kind. */
  readonly removeAliases?: readonly string[];
  readonly domains?: readonly string[];
  readonly addDomains?: readonly string[];
  readonly removeDomains?: readonly string[];
}

/** The words of a subject after a change. Throws a `CommandError` where one to remove is not there. */
export function changeWords(
  subject: Subject,
  {
    name = subject.name,
    aliases = subject.aliases,
    addAliases = [],
    removeAliases = [],
    domains = subject.domains,
    addDomains = [],
    removeDomains = [],
  }: SubjectChange,
): SubjectWords {
  return {
    name,
    aliases: [...removeAliases.reduce(withoutAlias, aliases), ...addAliases],
    domains: [...removeDomains.map(parseDomain).reduce(withoutDomain, domains), ...addDomains],
  };
}

function withoutAlias(aliases: readonly Alias[], word: string): readonly Alias[] {
  const left = aliases.filter((alias) => alias.alias !== word && aliasKey(alias) !== fold(word));
  if (left.length < aliases.length) return left;
  throw missing(
    'alias',
    word,
    aliases.map(({ alias }) => alias),
  );
}

function withoutDomain(domains: readonly string[], domain: string): readonly string[] {
  const left = domains.filter((other) => other !== domain);
  if (left.length < domains.length) return left;
  throw missing('domain', domain, domains);
}

function missing(what: string, word: string, known: readonly string[]): CommandError {
  const advice = suggestion(word, known) || ' See `overheard subject list`.';
  return new CommandError(`The subject has no ${what} ${quoted(word)}.${advice}`);
}
