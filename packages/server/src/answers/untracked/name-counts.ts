import { determiners } from './ordinary-words.ts';
import { foldWord } from './words.ts';
import type { Word } from './words.ts';

/** In how many answers a word has a capital, and in how many it does not. */
interface Case {
  lower: number;
  upper: number;
}

/** In how many answers a name occurs, and how. A name is one or more adjacent words. */
export interface NameCount {
  /** The most frequent spelling. */
  readonly spellings: Map<string, number>;
  answers: number;
  /**
   * Number of answers in which its capital is explained neither by its place nor by the language.
   */
  inside: number;
  /**
   * Number of answers that have it at the start of a sentence, a line or a list item, or in bold.
   */
  begins: number;
  /** Number of answers that have it at the start of a list item, or in bold. */
  lead: number;
  /** How often it occurs, repetitions in an answer included. */
  places: number;
  /**
   * How many of `places` are after an article, or after an adjective in languages that capitalise
   * nouns.
   */
  described: number;
  /** How many of `places` are right after a tracked name, as the names of products are. */
  behindTracked: number;
  /** The place of its first occurrence. */
  readonly first: { readonly runId: string; readonly start: number; readonly end: number };
}

/** The words of an answer, in which names are counted. */
export interface SplitAnswer {
  readonly runId: string;
  readonly language: string;
  readonly words: readonly Word[];
}

export const namePartsMax = 3;

/** Counts words by their case, an answer at a time. */
export function createCaseCounter() {
  const cases = new Map<string, Case>();
  return { add, isName, isAlsoLower };

  function add({ words }: SplitAnswer): void {
    const lower = new Set<string>();
    const upper = new Set<string>();
    for (const one of words) (one.isCapital ? upper : lower).add(foldWord(one.text));
    for (const text of new Set([...lower, ...upper])) {
      const count = cases.get(text) ?? { lower: 0, upper: 0 };
      if (lower.has(text)) count.lower += 1;
      if (upper.has(text)) count.upper += 1;
      cases.set(text, count);
    }
  }

  function isAlsoLower(key: string): boolean {
    return (cases.get(key)?.lower ?? 0) > 0;
  }

  /** Whether a word has a capital here and almost always in the other answers. */
  function isName(one: Word): boolean {
    const count = cases.get(foldWord(one.text));
    return one.isCapital && count !== undefined && 50 * count.lower <= count.upper;
  }
}

/**
 * Counts names and their beginnings, and how often each word occurs within a name but not first.
 */
export function createNameCounter(isName: (word: Word) => boolean) {
  const names = new Map<string, NameCount>();
  const within = new Map<string, number>();
  return { add, names, within };

  function add(answer: SplitAnswer): void {
    const sitesByName = new Map<string, Set<string>>();
    const noteOnce = (name: string, what: string, note: () => void) => {
      const notes = sitesByName.get(name) ?? new Set();
      sitesByName.set(name, notes);
      if (notes.has(what)) return;
      notes.add(what);
      note();
    };
    for (const run of nameRuns(answer.words, isName)) {
      for (let length = 1; length <= Math.min(namePartsMax, run.length); length += 1) {
        const parts = run.slice(0, length);
        const key = parts.map(({ text }) => foldWord(text)).join(' ');
        const count = openCount(key, answer.runId, parts);
        const first = parts[0];
        if (first === undefined) continue;
        noteOnce(key, 'answer', () => (count.answers += 1));
        const spelling = parts.map(({ text }) => text).join(' ');
        noteOnce(key, `as ${spelling}`, () => {
          count.spellings.set(spelling, (count.spellings.get(spelling) ?? 0) + 1);
        });
        if (first.isFirst) noteOnce(key, 'begins', () => (count.begins += 1));
        if (!first.isInitial && !hasCapitalNouns(answer.language)) {
          noteOnce(key, 'inside', () => (count.inside += 1));
        }
        if (first.isLead) noteOnce(key, 'lead', () => (count.lead += 1));
        count.places += 1;
        count.described += Number(isDescribed(first, answer.language));
        count.behindTracked += Number(first.previous?.isTracked === true);
      }
      for (const { text } of run.slice(1)) {
        const key = foldWord(text);
        noteOnce(key, 'within', () => within.set(key, (within.get(key) ?? 0) + 1));
      }
    }
  }

  function openCount(key: string, runId: string, parts: readonly Word[]): NameCount {
    const count = names.get(key);
    if (count !== undefined) return count;
    const first = { runId, start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 };
    const none = {
      answers: 0,
      inside: 0,
      begins: 0,
      lead: 0,
      places: 0,
      described: 0,
      behindTracked: 0,
    };
    const opened = { spellings: new Map<string, number>(), ...none, first };
    names.set(key, opened);
    return opened;
  }
}

/** Runs of adjacent names. A number may follow, as in a product's name. */
function nameRuns(words: readonly Word[], isName: (word: Word) => boolean): Word[][] {
  const runs: Word[][] = [];
  let last: Word | undefined;
  for (const one of words) {
    if (one.isTracked || !one.isCapital) continue;
    const run = runs.at(-1);
    const isNext = run !== undefined && one.previous !== undefined && one.previous === last;
    if (isNext && (isName(one) || !one.isInitial)) run.push(one);
    else if (!isName(one)) continue;
    else runs.push(isOpening(one.previous) ? [one.previous, one] : [one]);
    last = one;
  }
  return runs;
}

/** A common word belongs to the name if its place does not explain its capital: `New Balance`. */
function isOpening(one: Word | undefined): one is Word {
  return one !== undefined && one.isCapital && !one.isInitial && !one.isTracked;
}

/** Endings of German adjectives, which come before nouns and so before words with a capital. */
const adjective = /^\p{Ll}+(?:e|en|er|es|em)$/u;

function isDescribed({ previous }: Word, language: string): boolean {
  if (previous === undefined) return false;
  if (determiners.has(foldWord(previous.text))) return true;
  return hasCapitalNouns(language) && adjective.test(previous.text);
}

/** Languages that write every noun with a capital: German and Luxembourgish. */
export function hasCapitalNouns(language: string): boolean {
  return /^(?:de|lb|gsw|nds)\b/.test(language);
}
