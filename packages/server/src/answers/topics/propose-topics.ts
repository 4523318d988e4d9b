import { foldCase } from '../../values/fold-case.ts';
import { tagOf } from '../../values/tag.ts';
import { splitPrompts } from './prompt-words.ts';
import type { PromptWord } from './prompt-words.ts';

/** A prompt, and what answers to it cite. */
export interface TopicPrompt {
  readonly id: string;
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  /** Null if nobody has given it one. */
  readonly topic: string | null;
  /** Cited pages, each with the number of answers that cite it. */
  readonly pages: ReadonlyMap<string, number>;
}

/** Prompts without a topic that seem to be about one thing. */
export interface ProposedTopic {
  /** The topic of similar prompts, or words that most of the prompts share. */
  readonly name: string;
  /** Whether other prompts have this topic already. */
  readonly isKnown: boolean;
  readonly promptIds: readonly string[];
}

/**
 * Two groups become one while their prompts are at least this similar on average. Between 0.2 and
 * 0.25 the topics of our own lists of prompts, in five languages, are nearly the same.
 */
const similarityMin = 0.2;
/** Cited pages alone join prompts only if about half of the citations are of the same rare pages. */
const weightOfPages = 0.5;
/** A word of one prompt alone says little about it, and must not hide what prompts share. */
const weightOfUnique = 0.5;
/**
 * Prompts with nothing but usual words have little in common, although their cosine is 1. This part of
 * the weight of a rare word is added to what it is divided by.
 */
const weightOfLittle = 0.5;
/**
 * Pages that nearly all prompts cite take the most time. Those that weigh less than this part of a rare
 * one can raise no similarity by more than half of it.
 */
const weightMin = 0.001;
const nameWordsMax = 4;

/**
 * Proposes topics for the prompts that have none: groups that share rare words and cited pages (cosine
 * similarity of TF-IDF weights, average linkage), and prompts that are similar to those of a topic. The
 * order of the prompts changes nothing. Largest first. Takes the square of the number of prompts in
 * time and memory: a second for 2,000.
 */
export function proposeTopics(prompts: readonly TopicPrompt[]): ProposedTopic[] {
  const sorted = prompts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const words = splitPrompts(sorted);
  const counts = countPrompts(words);
  const similarities = addSimilarities(sorted, words);
  const names = new Set(sorted.map(({ topic }) => foldCase(topic ?? '')));
  return linkGroups(similarities, sorted)
    .flatMap((group): ProposedTopic[] => {
      const members = group.flatMap((place) => sorted.slice(place, place + 1));
      const known = members.find(({ topic }) => topic !== null)?.topic;
      const promptIds = members.filter(({ topic }) => topic === null).map(({ id }) => id);
      if (promptIds.length === 0 || members.length < 2) return [];
      if (typeof known === 'string') return [{ name: known, isKnown: true, promptIds }];
      const ownWords = group.map((place) => words[place] ?? []);
      const name = nameGroup(
        members,
        ownWords,
        (stem) => 2 * (counts.get(stem) ?? 0) > words.length,
      );
      return [{ name: unlike(names, name), isKnown: false, promptIds }];
    })
    .toSorted((one, other) => other.promptIds.length - one.promptIds.length);
}

/** The similarity of each two prompts, from 0 to 1: by words, raised by shared pages. */
function addSimilarities(
  prompts: readonly TopicPrompt[],
  words: readonly PromptWord[][],
): Float32Array {
  const byWords = cosines(words.map((each) => new Set(each.map(({ stem }) => stem))));
  const byPages = overlaps(prompts.map(({ pages }) => pages));
  return byWords.map((ofWords, at) => ofWords + (1 - ofWords) * weightOfPages * (byPages[at] ?? 0));
}

/** The cosine of each two prompts by their words, which weigh by how rare they are. */
function cosines(prompts: ReadonlyArray<ReadonlySet<string>>): Float32Array {
  const size = prompts.length;
  const norms = new Float64Array(size);
  const products = new Float32Array(size * size);
  for (const places of placesOf(prompts).values()) {
    const weight = (places.length === 1 ? weightOfUnique ** 2 : 1) * rarity(places.length, size);
    for (const one of places) {
      norms[one] = (norms[one] ?? 0) + weight;
      for (const other of places) {
        const at = one * size + other;
        products[at] = (products[at] ?? 0) + weight;
      }
    }
  }
  const little = weightOfLittle * rarity(2, Math.max(4, size));
  for (let one = 0; one < size; one += 1) {
    for (let other = 0; other < size; other += 1) {
      const norm = Math.sqrt((norms[one] ?? 0) * (norms[other] ?? 0));
      products[one * size + other] = (products[one * size + other] ?? 0) / (norm + little);
    }
  }
  return products;
}

/** The part of their citations that each two prompts share, where usual pages count for little. */
function overlaps(prompts: ReadonlyArray<ReadonlyMap<string, number>>): Float32Array {
  const size = prompts.length;
  const totals = prompts.map((pages) => pages.values().reduce((sum, count) => sum + count, 0));
  const shared = new Float32Array(size * size);
  for (const [page, places] of placesOf(prompts)) {
    const weight = rarity(places.length, size) / rarity(2, Math.max(3, size));
    if (weight < weightMin) continue;
    const parts = places.map((place) => (prompts[place]?.get(page) ?? 0) / (totals[place] ?? 1));
    for (const [first, one] of places.entries()) {
      for (const [second, other] of places.entries()) {
        const at = one * size + other;
        const part = Math.min(parts[first] ?? 0, parts[second] ?? 0);
        shared[at] = (shared[at] ?? 0) + weight * part;
      }
    }
  }
  return shared;
}

/** The places of the prompts that have each word or page. */
function placesOf(prompts: ReadonlyArray<{ keys(): Iterable<string> }>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, prompt] of prompts.entries()) {
    for (const key of prompt.keys()) {
      const list = places.get(key);
      if (list === undefined) places.set(key, [place]);
      else list.push(place);
    }
  }
  return places;
}

/** The squared logarithm of how rare something is that `count` of `size` prompts have. */
function rarity(count: number, size: number): number {
  return Math.log(size / Math.max(2, count)) ** 2;
}

/**
 * Average linkage: joins the two most similar groups until none are similar enough. Prompts of one topic
 * are a group from the start, and two topics are never joined. Changes `similarities`.
 */
function linkGroups(similarities: Float32Array, prompts: readonly TopicPrompt[]): number[][] {
  const size = prompts.length;
  const groups = new Map(prompts.map((_, place) => [place, [place]]));
  const topics = prompts.map(({ topic }) => topic);
  const of = (one: number, other: number): number =>
    topics[one] !== null && topics[other] !== null ? 0 : (similarities[one * size + other] ?? 0);

  for (const places of Map.groupBy(topics.keys(), (place) => topics[place]).entries()) {
    const [topic, [first = 0, ...others]] = places;
    if (typeof topic === 'string') for (const other of others) join(first, other);
  }
  const nearest = new Map([...groups.keys()].map((place) => [place, findNearest(place)]));
  for (;;) {
    let best = similarityMin;
    let one = -1;
    let other = -1;
    for (const [place, near] of nearest) {
      if (near === undefined || of(place, near) <= best) continue;
      best = of(place, near);
      one = place;
      other = near;
    }
    if (one === -1) return [...groups.values()].map((group) => group.toSorted((a, b) => a - b));
    join(one, other);
    nearest.delete(other);
    for (const [place, near] of nearest) {
      const isStale = place === one || near === one || near === other;
      if (isStale) nearest.set(place, findNearest(place));
    }
  }

  function join(one: number, other: number): void {
    const [ofOne = [], ofOther = []] = [groups.get(one), groups.get(other)];
    const part = ofOne.length / (ofOne.length + ofOther.length);
    for (const each of groups.keys()) {
      const toOne = similarities[one * size + each] ?? 0;
      const toOther = similarities[other * size + each] ?? 0;
      const mean = part * toOne + (1 - part) * toOther;
      similarities[one * size + each] = mean;
      similarities[each * size + one] = mean;
    }
    topics[one] ??= topics[other] ?? null;
    groups.set(one, [...ofOne, ...ofOther]);
    groups.delete(other);
  }

  function findNearest(place: number): number | undefined {
    let best = 0;
    let near: number | undefined;
    for (const each of groups.keys()) {
      const similarity = each === place ? 0 : of(place, each);
      if (similarity <= best) continue;
      best = similarity;
      near = each;
    }
    return near;
  }
}

/** How many prompts have each word. */
function countPrompts(words: readonly PromptWord[][]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stems of words.map((each) => new Set(each.map(({ stem }) => stem)))) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/**
 * The words that most of the prompts share, as the shortest prompt with most of them has them. If all
 * of these are usual, the text of the shortest prompt.
 */
function nameGroup(
  prompts: readonly TopicPrompt[],
  words: readonly PromptWord[][],
  isUsual: (stem: string) => boolean,
): string {
  const shared = [...countPrompts(words)]
    .filter(([, count]) => 2 * count > prompts.length)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, nameWordsMax)
    .map(([stem]) => stem);
  const isShared = new Set(shared.every(isUsual) ? [] : shared);
  const [sample] = prompts
    .map(({ text }, place) => {
      const seen = new Set<string>();
      const own = (words[place] ?? []).filter(({ stem }) => {
        const isFirst = isShared.has(stem) && !seen.has(stem);
        seen.add(stem);
        return isFirst;
      });
      return { text, own };
    })
    .toSorted(
      (one, other) => other.own.length - one.own.length || one.text.length - other.text.length,
    );
  const { text = '', own = [] } = sample ?? {};
  // Words of Japanese and Chinese stand together.
  const name = own.map(({ text: word, start }, at) => {
    const before = own[at - 1];
    const isApart = before !== undefined && before.start + before.text.length !== start;
    return isApart ? ` ${word}` : word;
  });
  const [first = '', ...rest] = tagOf(name.join('') || text);
  return tagOf([first.toUpperCase(), ...rest].join(''));
}

/** A name that no other topic has. */
function unlike(names: Set<string>, name: string): string {
  let own = name;
  for (let number = 2; names.has(foldCase(own)); number += 1) own = tagOf(name, ` ${number}`);
  names.add(foldCase(own));
  return own;
}
