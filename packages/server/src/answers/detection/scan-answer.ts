import { createMemo } from '../../values/memo.ts';
import { affixesOf } from './language/affixes.ts';
import { createAliasFinder } from './names/aliases.ts';
import type { AliasFinder, Candidate } from './names/aliases.ts';
import { inflectingLanguage } from './names/inflect.ts';
import { decodeText } from './text/decode.ts';
import { foldText } from './text/fold.ts';
import { rangeInUnits, wholeText } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { domainHost, hostOf } from '../../values/sites/web-host.ts';
import { findLinks } from './links/find-links.ts';
import type { Link } from './links/link.ts';
import type { MentionSearch } from './names/mentions.ts';
import type { DetectableSubject } from './subject.ts';

/** A decoded answer with its links and the places to search for mentions. */
export interface ScannedAnswer {
  readonly search: MentionSearch;
  readonly links: readonly Link[];
  /** The offset in the original answer. Both are in code units. */
  readonly toOriginal: (offset: number) => number;
}

export interface Scanner {
  /** The brand first, then by id. A candidate names its subject by the index in this list. */
  readonly subjects: readonly DetectableSubject[];
  /** The language is that of the prompt (BCP 47). Only the range is read. */
  readonly scan: (
    answer: string,
    language: string | undefined,
    range?: CountedRange,
  ) => ScannedAnswer;
}

/** Makes the function that reads answers for these subjects. Throws for an alias pattern that cannot be used. */
export function createAnswerScanner(subjects: readonly DetectableSubject[]): Scanner {
  const ordered = subjects.toSorted(byTypeAndId);
  const aliasesIn = createMemo((language) => createAliasFinder(ordered, language));
  const aliases = aliasesIn('');
  const findNamedDomains = createDomainNames(ordered, aliases);
  return { subjects: ordered, scan };

  function scan(
    answer: string,
    language: string | undefined,
    range: CountedRange = wholeText,
  ): ScannedAnswer {
    const { start, end } = rangeInUnits(answer, range);
    const decoded = decodeText(answer.slice(start, end));
    const { text } = decoded;
    const toOriginal = (offset: number) => start + decoded.toOriginal(offset);
    const links = findLinks(decoded, aliases.isAlias);
    const domains = findNamedDomains(text, links);
    const { find } = aliasesIn(inflectingLanguage(language));
    const candidates = inOrder(find(text, foldText(text)), domains.mentions);
    const affixes = affixesOf(language);
    return { search: { text, candidates, links: domains.covering, affixes }, links, toOriginal };
  }
}

function inOrder(names: readonly Candidate[], domains: readonly Candidate[]): readonly Candidate[] {
  if (domains.length === 0) return names;
  return [...names, ...domains].toSorted((left, right) => left.start - right.start);
}

function byTypeAndId(left: DetectableSubject, right: DetectableSubject): number {
  if (left.type !== right.type) return left.type === 'brand' ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** The bare domains of an answer that name a subject, and the links whose words are not mentions. */
interface NamedDomains {
  readonly mentions: readonly Candidate[];
  readonly covering: readonly Link[];
}

/**
 * Makes a function that distinguishes bare domains that are names from addresses. A name is a domain that
 * is an alias (`monday.com`), or a subject's domain that is written with a capital (`Notion.so`);
 * `notion.so` is an address.
 */
function createDomainNames(
  subjects: readonly Pick<DetectableSubject, 'domains'>[],
  { isAlias }: Pick<AliasFinder, 'isAlias'>,
): (text: string, links: readonly Link[]) => NamedDomains {
  const owners = new Map(
    subjects.flatMap(({ domains }, subject) =>
      domains.map((domain) => [domainHost(domain), subject] as const),
    ),
  );

  return function findNamedDomains(text, links) {
    const mentions: Candidate[] = [];
    const covering = links.filter(({ start, end, address, isDomain }) => {
      if (isDomain !== true || address === undefined) return true;
      const alias = text.slice(start, end);
      const subject = isName(alias) ? owners.get(hostOf(address)) : undefined;
      if (subject !== undefined) mentions.push({ subject, alias, start, end });
      return subject === undefined && !isAlias(alias);
    });
    return { mentions, covering };
  };
}

function isName(domain: string): boolean {
  return /\p{Lu}/u.test(domain) && !/^www\./i.test(domain);
}
