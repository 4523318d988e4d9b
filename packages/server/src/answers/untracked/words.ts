import { createMemo } from '../../values/memo.ts';
import { foldString } from '../detection/text/fold.ts';

/** A word without differences of case and accents. */
export const foldWord = createMemo(foldString, { entriesMax: 50_000 });

/** A word of an answer, and what comes before it. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Written with a capital, or with one inside: `Globex`, `iPhone`, `HP`. */
  readonly isCapital: boolean;
  /**
   * Whether any word has a capital here: at the start of a sentence, a line or a cell, or in a line
   * in title case.
   */
  readonly isInitial: boolean;
  /**
   * Whether it comes first in a sentence, a line or bold text, or is listed together with a name
   * that does, or with a tracked name: `Globex, Hooli and Umbra`.
   */
  readonly isFirst: boolean;
  /** Whether it comes first in a list item, is in a heading, or is in bold. */
  readonly isLead: boolean;
  /** The word before it, with a single blank between; undefined if anything else is between. */
  readonly previous: Word | undefined;
  /** Whether it is part of a mention of a tracked subject. */
  readonly isTracked: boolean;
}

/** A range of the text. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const word =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:[&'\u2019-]| & (?=\p{Lu}))[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*\+?/gu;
/** `d'`, `l'` and `dell'` before a name, and `'s` after it. */
const elision = /^\p{Ll}{1,5}['\u2019](?=\p{Lu})/u;
const possessive = /['\u2019]s$/iu;
const capital = /^\p{Lu}|\p{Ll}\p{Lu}/u;
/** Compounds with a name: `TSA-approved`, `Disney-owned`. */
const compound = /-\p{Ll}/u;
/** Signs before the first word of a line: bullets, numbers, headings, quotes, emphasis, cells. */
const lineStart =
  /^[\s>#*_~`|+\-\u2022\u2013\u2014"'\u201c\u201e([]*(?:\d{1,3}[.)]\s*)?[\s*_"'\u201c\u201e([]*$/u;
const lead = /[#*_\d|+\u2022-]/u;
const boldStart = /(?:\*\*|__)["'\u201c\u201e[]?$/u;
const fullStop = /[.!?\u2026\u3002]["'\u201d\u2019)\]*_]*\s*[\s*_"'\u201c\u201e(]*$/u;
const sentenceEnd =
  /[.!?:;\u2026|/\u2022\u3002\uff1a\u2013\u2014]["'\u201d\u2019)\]*_\s\u201c\u201e(]*$/u;
/** Separators in a list of names, in the languages that have capitals. */
const listing = /^[*_]*(?:,|,? (?:and|or|und|oder|sowie|et|ou|y|e|o|en|of|och|og|i|a))[*_]* [*_]*/u;
/** How many code units before a word to examine. */
const reach = 40;
/** A line is in title case if at least this share of its long words has a capital. */
const titleShare = 0.7;
const titleWordsMin = 3;

/** Splits a text into words, without those in links. `tracked` and `links` are in the order of the text. */
export function splitWords(
  text: string,
  { tracked, links }: { tracked: readonly Stretch[]; links: readonly Stretch[] },
): Word[] {
  const inLink = createWithin(links);
  const inMention = createWithin(tracked);
  return lines(text).flatMap(({ start, end }) => {
    const words: Word[] = [];
    const matches = [...text.slice(start, end).matchAll(word)]
      .map((match) => trimName(match[0], start + match.index))
      .filter((one) => !inLink(one));
    let named: { readonly end: number; readonly isFirst: boolean } | undefined;
    const isTitle = isTitleCase(matches.map((one) => one.text));
    for (const one of matches) {
      const before = text.slice(Math.max(start, one.start - reach), one.start);
      const isFirst = one.start - start < reach && lineStart.test(before);
      const isBold = boldStart.test(before);
      const last = words.at(-1);
      const previous =
        last !== undefined && one.start === last.end + 1 && before.endsWith(' ') ? last : undefined;
      const between = named === undefined ? '' : text.slice(named.end, named.end + reach);
      const isListed =
        named?.isFirst === true && listing.exec(between)?.[0].length === one.start - named.end;
      const next: Word = {
        ...one,
        isCapital: capital.test(one.text) && !compound.test(one.text),
        isInitial: isFirst || isTitle || isBold || sentenceEnd.test(before),
        isFirst: isFirst || isBold || isListed || fullStop.test(before),
        isLead: isBold || (isFirst && lead.test(before)),
        previous,
        isTracked: inMention(one),
      };
      words.push(next);
      // The words of one name are listed together.
      const isSame = named !== undefined && previous?.end === named.end;
      if (next.isTracked || next.isCapital) {
        const isHead = next.isTracked || next.isFirst || (isSame && named?.isFirst === true);
        named = { end: one.end, isFirst: isHead };
      }
    }
    return words;
  });
}

function trimName(rawName: string, at: number): { text: string } & Stretch {
  const cut = elision.exec(rawName)?.[0].length ?? 0;
  const name = rawName.slice(cut).replace(possessive, '');
  return { text: name, start: at + cut, end: at + cut + name.length };
}

function isTitleCase(words: readonly string[]): boolean {
  const long = words.filter((one) => one.length > 3);
  const capitals = long.filter((one) => /^\p{Lu}/u.test(one));
  return long.length >= titleWordsMin && capitals.length >= titleShare * long.length;
}

function lines(text: string): Stretch[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const stretch = { start, end: start + line.length };
    start = stretch.end + 1;
    return stretch;
  });
}

/** Call it with offsets in the order of the text. */
function createWithin(stretches: readonly Stretch[]): (one: Stretch) => boolean {
  let next = 0;
  return function isWithin({ start, end }) {
    while ((stretches[next]?.end ?? Infinity) <= start) next += 1;
    return (stretches[next]?.start ?? Infinity) < end;
  };
}
