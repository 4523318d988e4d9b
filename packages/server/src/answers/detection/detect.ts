import type { Candidate } from './names/aliases.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { createCodePointCounter } from './text/decode.ts';
import { hostOf, withScheme } from '../../values/sites/web-host.ts';
import type { Link } from './links/link.ts';
import { firstMentions } from './names/mentions.ts';
import { createGroundingResolver, siteOf } from '../../values/sites/site.ts';
import { createPageOwners } from '../../values/sites/page-owners.ts';
import { createAnswerScanner } from './scan-answer.ts';
import { sentenceAround } from './text/sentence.ts';
import type { AnswerSource, DetectableSubject } from './subject.ts';

/** Increase this number whenever a change of the rules changes the detections of any answer. */
const rules = 7;

/**
 * The method that judged a run: the version of our rules, of Unicode, and of ICU, whose
 * dictionaries split Chinese, Japanese and Thai into words. `redetect` updates runs of another
 * method.
 */
export const methodVersion = `rules ${rules}, Unicode ${process.versions['unicode']}, ICU ${process.versions['icu']}`;

/** Whether one answer cites one subject, and the mention or link that shows it. */
export interface Detection {
  readonly subjectId: string;
  readonly subjectType: DetectableSubject['type'];
  readonly isCited: boolean;
  /** Offset of the first mention, in code points; null if it is not named. */
  readonly position: number | null;
  /** Rank among the cited subjects, from 1; null if it is not cited. */
  readonly rank: number | null;
  /** The alias that the first mention matched. */
  readonly alias: string | null;
  /** The sentence of the first mention, or of the first link within the text. */
  readonly sentence: string | null;
  /** The first link or source that belongs to the subject. */
  readonly url: string | null;
}

/** The result of detection in one answer. */
export interface Judgement {
  /** One detection per subject: the brand first, then by id. */
  readonly detections: readonly Detection[];
  /** The sites that the answer links to or gives as sources, each once, in order. */
  readonly sites: readonly string[];
}

/** Judges the range of an answer that counts; the language is that of the prompt (BCP 47). */
export type Detect = (
  answer: string,
  sources?: readonly AnswerSource[],
  language?: string,
  range?: CountedRange,
) => Judgement;

/**
 * Makes the function that finds subjects in answers: pure, and the same whatever the order of the
 * subjects. Throws for an alias pattern that cannot be used.
 */
export function createDetector(subjects: readonly DetectableSubject[]): Detect {
  const { subjects: ordered, scan } = createAnswerScanner(subjects);
  const ownerOf = createPageOwners(ordered);

  return function detect(answer, sources = [], language, range) {
    const { search, links, toOriginal } = scan(answer, language, range);
    const mentions = firstMentions(search);
    const cited = findCited(links, sources, ownerOf);
    const ranks = rankCited(mentions, cited.owned);
    const positions = codePointOffsets(answer, mentions, toOriginal);
    const detections = ordered.map(({ id, type }, number): Detection => {
      const mention = mentions.get(number);
      const link = cited.owned.get(number);
      const place = mention ?? link?.place;
      return {
        subjectId: id,
        subjectType: type,
        isCited: mention !== undefined || link !== undefined,
        position: positions.get(number) ?? null,
        rank: ranks.get(number) ?? null,
        alias: mention?.alias ?? null,
        sentence: place === undefined ? null : sentenceAround(search.text, place.start, place.end),
        url: link?.url ?? null,
      };
    });
    return { detections, sites: cited.sites };
  };
}

/** The first link of a subject. */
interface OwnedLink {
  readonly url: string;
  /** Offset of the link in the answer; undefined for a source. */
  readonly place: { readonly start: number; readonly end: number } | undefined;
}

function findCited(
  links: readonly Link[],
  sources: readonly AnswerSource[],
  ownerOf: (address: string, host: string) => number | undefined,
): { owned: Map<number, OwnedLink>; sites: string[] } {
  const owned = new Map<number, OwnedLink>();
  const sites = new Set<string>();
  const resolve = createGroundingResolver(sources);
  for (const link of links) {
    if (link.address === undefined) continue;
    note(link.address, { url: link.address, place: link });
  }
  for (const { url, title } of sources) note(withScheme(url), { url, place: undefined }, title);
  return { owned, sites: [...sites] };

  function note(writtenAddress: string, link: OwnedLink, title?: string): void {
    const address = resolve(writtenAddress, title);
    const host = address === undefined ? undefined : hostOf(address);
    if (address === undefined || host === undefined) return;
    sites.add(siteOf(host));
    const owner = ownerOf(address, host);
    // The order of the first links decides the rank.
    if (owner !== undefined && !owned.has(owner)) owned.set(owner, link);
  }
}

/** Offsets of the first mentions in code points of the original answer, by subject. */
function codePointOffsets(
  answer: string,
  mentions: ReadonlyMap<number, Candidate>,
  toOriginal: (offset: number) => number,
): Map<number, number> {
  const codePointsBefore = createCodePointCounter(answer);
  const ordered = [...mentions].toSorted(([, left], [, right]) => left.start - right.start);
  return new Map(
    ordered.map(([subject, { start }]) => [subject, codePointsBefore(toOriginal(start))]),
  );
}

/**
 * The ranks of the cited subjects, from 1: named subjects first, by position. Subjects that are
 * only linked follow in the order of `linked`: links in the text, then sources.
 */
function rankCited(
  mentions: ReadonlyMap<number, { readonly start: number }>,
  linked: ReadonlyMap<number, unknown>,
): Map<number, number> {
  const named = [...mentions]
    .toSorted(([, left], [, right]) => left.start - right.start)
    .map(([subject]) => subject);
  const linkedOnly = [...linked.keys()].filter((subject) => !mentions.has(subject));
  return new Map([...named, ...linkedOnly].map((subject, index) => [subject, index + 1]));
}
