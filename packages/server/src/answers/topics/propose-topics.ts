import { foldCase } from '../../values/fold-case.ts';
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
/** Cited pages alone join prompts only if at least half of them are the same. */
const weightOfPages = 0.5;
/** A word or page of one prompt alone says little about it, and must not hide what prompts share. */
const weightOfUnique = 0.5;
/**
 * Prompts with nothing but usual words or pages have little in common, although their cosine is 1. This
 * part of the weight of a rare word is added to what it is divided by.
 */
const weightOfLittle = 0.5;
const nameWordsMax = 4;
const nameLengthMax = 60;

/**
 * Proposes topics for the prompts that have none: groups that share rare words and cited pages (cosine
 * similarity of TF-IDF weights, average linkage), and prompts that are similar to those of a topic. The
 * order of the prompts changes nothing. Largest first. Takes the square of the number of prompts in
 * time and memory: a second for 2,000.
 */
export function proposeTopics(prompts: readonly TopicPrompt[]): ProposedTopic[] {
  const sorted = prompts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const words = splitPrompts(sorted);
  const similarities = addSimilarities(sorted, words);
  const names = new Set(sorted.map(({ topic }) => foldCase(topic ?? '')));
  return linkGroups(similarities, sorted)
    .flatMap((group): ProposedTopic[] => {
      const members = group.flatMap((place) => sorted.slice(place, place + 1));
      const known = members.find(({ topic }) => topic !== null)?.topic;
      const promptIds = members.filter(({ topic }) => topic === null).map(({ id }) => id);
      if (promptIds.length === 0 || members.length < 2) return [];
      if (typeof known === 'string') return [{ name: known, isKnown: true, promptIds }];
      const name = nameGroup(
        members,
        group.map((place) => words[place] ?? []),
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
  const byWords = cosines(words.map((each) => new Map(each.map(({ stem }) => [stem, 1]))));
  const byPages = cosines(prompts.map(({ pages }) => pages));
  return byWords.map((ofWords, at) => ofWords + (1 - ofWords) * weightOfPages * (byPages[at] ?? 0));
}

/** The cosine of each two items, whose features weigh by the logarithm of how rare they are. */
function cosines(items: ReadonlyArray<ReadonlyMap<string, number>>): Float32Array {
  const size = items.length;
  const owners = new Map<string, Array<readonly [place: number, weight: number]>>();
  for (const [place, features] of items.entries()) {
    for (const [feature, count] of features) {
      const ofFeature = owners.get(feature) ?? [];
      ofFeature.push([place, Math.sqrt(count)]);
      owners.set(feature, ofFeature);
    }
  }
  const norms = new Float64Array(size);
  const products = new Float32Array(size * size);
  for (const ofFeature of owners.values()) {
    const unique = ofFeature.length === 1 ? weightOfUnique : 1;
    const rarity = (unique * Math.log(size / Math.max(2, ofFeature.length))) ** 2;
    for (const [one, weight] of ofFeature) {
      norms[one] = (norms[one] ?? 0) + weight * weight * rarity;
      for (const [other, otherWeight] of ofFeature) {
        const at = one * size + other;
        products[at] = (products[at] ?? 0) + weight * otherWeight * rarity;
      }
    }
  }
  const little = weightOfLittle * Math.log(Math.max(2, size / 2)) ** 2;
  return products.map((product, at) => {
    const norm = Math.sqrt((norms[Math.floor(at / size)] ?? 0) * (norms[at % size] ?? 0));
    return product / (norm + little);
  });
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
    let [best, one, other] = [similarityMin, -1, -1];
    for (const [place, near] of nearest) {
      if (near === undefined || of(place, near) <= best) continue;
      [best, one, other] = [of(place, near), place, near];
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
      const [toOne = 0, toOther = 0] = [
        similarities[one * size + each],
        similarities[other * size + each],
      ];
      const mean = part * toOne + (1 - part) * toOther;
      similarities[one * size + each] = mean;
      similarities[each * size + one] = mean;
    }
    topics[one] ??= topics[other] ?? null;
    groups.set(one, [...ofOne, ...ofOther]);
    groups.delete(other);
  }

  function findNearest(place: number): number | undefined {
    let [best, near]: [number, number | undefined] = [0, undefined];
    for (const each of groups.keys()) {
      if (each === place || of(place, each) <= best) continue;
      [best, near] = [of(place, each), each];
    }
    return near;
  }
}

/** The words that most of the prompts share, as the shortest prompt with most of them has them. */
function nameGroup(prompts: readonly TopicPrompt[], words: readonly PromptWord[][]): string {
  const counts = new Map<string, number>();
  for (const stems of words.map((each) => new Set(each.map(({ stem }) => stem)))) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const shared = [...counts]
    .filter(([, count]) => 2 * count > prompts.length)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, nameWordsMax);
  const isShared = new Set(shared.map(([stem]) => stem));
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
  const [first = '', ...rest] = Array.from(name.join('') || text.replaceAll(',', ' '));
  return [first.toUpperCase(), ...rest].slice(0, nameLengthMax).join('').trim();
}

/** A name that no other topic has. */
function unlike(names: Set<string>, name: string): string {
  let own = name;
  for (let number = 2; names.has(foldCase(own)); number += 1) own = `${name} ${number}`;
  names.add(foldCase(own));
  return own;
}
