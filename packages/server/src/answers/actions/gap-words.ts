import { plural } from '../../values/plural.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import type { TalliedPrompt } from './drops.ts';
import type { Gap, PromptKind, Window } from './gap-kinds.ts';
import { gapKinds } from './gap-kinds.ts';
import { mergeTallies, poolEngines, tallyOf } from './tally.ts';
import type { PageTally, Tally } from './tally.ts';

const promptLengthMax = 100;
const namesMax = 3;
const pagesMax = 3;

/**
 * Writes one sentence with its evidence: a count over all answers of the prompt, the engines that
 * show the gap, the subjects cited instead, and the third-party pages that the answers cite most.
 */
export function recommend(
  { kind, engines }: Gap,
  { text, current, before }: TalliedPrompt,
  { brand, names }: Window,
): string {
  const all = poolEngines(current);
  const { noun, counts } = sentences[kind] ?? cited;
  const { part, whole } = counts(all);
  const isEvery = engines.length === current.size;
  const facts = [
    `${brand} is ${noun.replace('#', `${part === 0 ? 'none' : part} of ${plural(whole, 'answer')}`)}`,
    neverWords(
      [...current].filter(([, tally]) => isNever(counts(tally))),
      counts,
    ),
    ...(isEvery
      ? []
      : engines.map((engine) => engineWords(engine, counts(tallyOf(current, engine))))),
    ...changeWords(kind, { engines, current, before }),
    kind === 'outranked' ? `cited before it: ${aheadWords(all, names)}` : '',
  ].filter((fact) => fact !== '');
  return `${gapKinds[kind].head} ${quotedPrompt(text)}: ${facts.join('; ')}${evidenceWords(all, names, kind)}.`;
}

interface Sentence {
  /** `#` is the count. */
  readonly noun: string;
  readonly counts: (tally: Tally) => Proportion;
}

const cited: Sentence = {
  noun: 'cited in #',
  counts: ({ cited: part, runs: whole }) => ({ part, whole }),
};

/** Cited is linked, named or both. */
const namedAndLinked = (tally: Tally): number => tally.linked + tally.named - tally.cited;

/** What a kind counts over all answers, unless it is the answers that cite the brand. */
const sentences: Readonly<Partial<Record<PromptKind, Sentence>>> = {
  'not named': {
    noun: 'named in # that link to it',
    counts: (tally) => ({ part: namedAndLinked(tally), whole: tally.linked }),
  },
  'not linked': {
    noun: 'linked in # that name it',
    counts: (tally) => ({ part: namedAndLinked(tally), whole: tally.named }),
  },
};

function isNever({ part, whole }: Proportion): boolean {
  return part === 0 && whole > 0;
}

/** `never on chatgpt (5 answers) and gemini (4 answers)` */
function neverWords(
  engines: ReadonlyArray<readonly [string, Tally]>,
  counts: Sentence['counts'],
): string {
  if (engines.length === 0) return '';
  const words = engines.map(
    ([engine, tally]) => `${engine} (${plural(counts(tally).whole, 'answer')})`,
  );
  return `never on ${words.join(' and ')}`;
}

/** Nothing for an engine that never cites the brand, because that is said already. */
function engineWords(engine: string, { part, whole }: Proportion): string {
  return part === 0 ? '' : `on ${engine} in ${part} of ${whole}`;
}

/** The rate that a drop is compared with. */
function changeWords(
  kind: PromptKind,
  { engines, current, before }: Pick<TalliedPrompt, 'current' | 'before'> & Pick<Gap, 'engines'>,
): string[] {
  const rate = (all: readonly Tally[]): string => {
    const { cited: part, runs } = mergeTallies(all);
    return partOfWhole(part, runs);
  };
  if (kind === 'engine gap') {
    const others = [...current].filter(([engine]) => !engines.includes(engine));
    return [`on the other engines in ${rate(others.map(([, tally]) => tally))}`];
  }
  if (kind !== 'lost' && kind !== 'declining') return [];
  if (kind === 'lost' || engines.length === current.size) {
    return [`in the time before in ${rate([...before.values()])}`];
  }
  return engines.map(
    (engine) => `in the time before on ${engine} in ${rate([tallyOf(before, engine)])}`,
  );
}

/** Runs in which each competitor ranks ahead of the brand, by name. */
export function aheadWords({ rivals }: Tally, names: Window['names']): string {
  return topWords(
    [...rivals].map(([id, { ahead }]) => [names.get(id) ?? id, ahead] as const),
    namesMax,
  );
}

/** The text of a prompt for a sentence, on one line and cut short. */
export function quotedPrompt(prompt: string): string {
  return `"${shorten(prompt.replace(/[\s\p{Cc}]+/gu, ' ').trim(), promptLengthMax)}"`;
}

/** Cuts a text to a number of characters, with an ellipsis at the end. */
export function shorten(text: string, lengthMax: number): string {
  const characters = Array.from(text);
  if (characters.length <= lengthMax) return text;
  return `${characters.slice(0, lengthMax - 1).join('')}\u2026`;
}

/**
 * Lists the most frequent names with their counts, and the number of others: `Globex (10), Initech
 * (3) and 2 more`.
 */
export function topWords(
  counts: Iterable<readonly [word: string, count: number]>,
  shownMax: number,
): string {
  const ordered = [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([left, often], [right, more]) => more - often || (left < right ? -1 : 1));
  const words = ordered.slice(0, shownMax).map(([word, count]) => `${word} (${count})`);
  const more = ordered.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Runs in which each competitor is cited without the brand, by name. */
export function rivalWords(
  { rivals }: Pick<Tally, 'rivals'>,
  names: ReadonlyMap<string, string>,
): string {
  return topWords(
    [...rivals].map(([id, { instead }]) => [names.get(id) ?? id, instead] as const),
    namesMax,
  );
}

/**
 * The subjects cited instead of the brand, and the third-party pages that these answers cite; '' if
 * there are neither.
 */
export function evidenceWords(
  all: Tally,
  names: ReadonlyMap<string, string>,
  kind: PromptKind = 'absent',
): string {
  const rivals = rivalWords(all, names);
  const pages = pageWords(all, kind);
  return [
    rivals === '' ? '' : `; cited instead: ${rivals}`,
    pages === '' ? '' : `; pages that these answers cite: ${pages}`,
  ].join('');
}

/** The third-party pages that the answers cite most; '' if there are none. */
export function pageWords({ pages }: Pick<Tally, 'pages'>, kind: PromptKind): string {
  return topWords(
    [...pages].map(([page, tally]) => [shorten(page, 100), weightOf(kind, tally)] as const),
    pagesMax,
  );
}

/** If the brand is missing, only runs without it show which pages the others come from. */
function weightOf(kind: PromptKind, { runs, gap }: PageTally): number {
  return kind === 'outranked' || kind === 'not linked' || kind === 'not named' ? runs : gap;
}

/** `11 of 28 (39 %)` */
export function partOfWhole(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : Math.round((100 * part) / whole);
  return `${part} of ${whole} (${percent} %)`;
}
