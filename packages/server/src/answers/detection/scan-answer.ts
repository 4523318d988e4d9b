import { affixesOf } from './language/affixes.ts';
import { createAliasFinder } from './names/aliases.ts';
import type { Candidate } from './names/aliases.ts';
import { decodeText } from './text/decode.ts';
import { foldText } from './text/fold.ts';
import { findLinks } from './links/links.ts';
import type { Link } from './links/link.ts';
import type { MentionSearch } from './names/mentions.ts';
import { createDomainNames } from './names/named-domains.ts';
import type { Subject } from './subject.ts';

/** A decoded answer: its links, and where to look for mentions. */
export interface ScannedAnswer {
  readonly search: MentionSearch;
  readonly links: readonly Link[];
  /** The offset in the answer as it came; both in code units. */
  readonly toOriginal: (offset: number) => number;
}

export interface Scanner {
  /** The brand first, then by id: a candidate has the number of its subject in this list. */
  readonly subjects: readonly Subject[];
  /** The language is that of the prompt (BCP 47). */
  readonly scan: (answer: string, language: string | undefined) => ScannedAnswer;
}

/** Makes the function that reads answers for these subjects. Throws for an alias pattern that cannot be used. */
export function createScanner(subjects: readonly Subject[]): Scanner {
  const ordered = subjects.toSorted(byTypeAndId);
  const aliases = createAliasFinder(ordered);
  const findNamedDomains = createDomainNames(ordered, aliases);
  return { subjects: ordered, scan };

  function scan(answer: string, language: string | undefined): ScannedAnswer {
    const decoded = decodeText(answer);
    const { text, toOriginal } = decoded;
    const links = findLinks(decoded, aliases.isAlias);
    const domains = findNamedDomains(text, links);
    const candidates = inOrder(aliases.find(text, foldText(text)), domains.mentions);
    const affixes = affixesOf(language);
    return { search: { text, candidates, links: domains.covering, affixes }, links, toOriginal };
  }
}

function inOrder(names: readonly Candidate[], domains: readonly Candidate[]): readonly Candidate[] {
  if (domains.length === 0) return names;
  return [...names, ...domains].toSorted((left, right) => left.start - right.start);
}

function byTypeAndId(left: Subject, right: Subject): number {
  if (left.type !== right.type) return left.type === 'brand' ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
