import { plural } from '../../values/plural.ts';
import type { TalliedPrompt } from './drops.ts';
import type { Gap, Window } from './found-gap.ts';
import { gapKinds } from './gap-kinds.ts';
import type { PromptKind } from './gap-kinds.ts';
import { mergeTallies, poolEngines, tallyOf } from './tally.ts';
import type { PageTally, Tally } from './tally.ts';

/** The facts that a recommendation states. */
interface RecommendationInput extends Pick<TalliedPrompt, 'current' | 'before'> {
  readonly gap: Gap;
  readonly brand: string;
  readonly names: Window['names'];
}

const promptLengthMax = 100;
const namesMax = 3;
const pagesMax = 3;

/**
 * Writes one sentence with its evidence: each engine that shows the gap with its counts, the
 * subjects cited there instead, and the third-party pages that those answers cite most.
 */
export function recommend(
  gap: Gap,
  { text, current, before }: TalliedPrompt,
  { brand, names }: Window,
): string {
  const input = { gap, current, before, brand, names };
  const tallies = gap.engines.map((engine) => ({ engine, tally: tallyOf(current, engine) }));
  const all = mergeTallies(tallies.map(({ tally }) => tally));
  const perEngine = tallies.map((one) => bodies[gap.kind]({ ...input, ...one }));
  const isAbsence = gap.kind === 'lost' || gap.kind === 'absent' || gap.kind === 'rarely cited';
  const body = isAbsence && tallies.length > 1 ? absenceBody(brand, tallies) : perEngine.join('; ');
  return `${gapKinds[gap.kind].head} ${quotedPrompt(text)}: ${body}${suffixOf(input, all)}.`;
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

interface BodyInput extends RecommendationInput {
  readonly engine: string;
  readonly tally: Tally;
}

const rateSentence = ({ engine, tally: { cited, runs }, brand }: BodyInput): string =>
  `${engine} cites ${brand} in ${cited} of ${plural(runs, 'run')}`;

/** `Acme is cited in 1 of 9 runs (chatgpt 0 of 5, gemini 1 of 4)` */
function absenceBody(
  brand: string,
  tallies: ReadonlyArray<{ readonly engine: string; readonly tally: Tally }>,
): string {
  const all = mergeTallies(tallies.map(({ tally }) => tally));
  const each = tallies.map(({ engine, tally: { cited, runs } }) => `${engine} ${cited} of ${runs}`);
  return `${brand} is cited in ${all.cited} of ${plural(all.runs, 'run')} (${each.join(', ')})`;
}

const bodies: Readonly<Record<PromptKind, (input: BodyInput) => string>> = {
  lost: rateSentence,
  absent: rateSentence,
  'rarely cited': rateSentence,
  'engine gap': (input) => {
    const rest = poolEngines(input.current, input.engine);
    return `${rateSentence(input)}, the other engines in ${partOfWhole(rest.cited, rest.runs)}`;
  },
  declining: (input) => {
    const then = tallyOf(input.before, input.engine);
    return `${rateSentence(input)}, in the time before in ${partOfWhole(then.cited, then.runs)}`;
  },
  'not named': ({ engine, tally: { linked, cited, named }, brand }) =>
    `${engine} links to ${brand} in ${plural(linked, 'run')} and names it in ${linked - (cited - named)} of them`,
  outranked: ({ engine, tally, names, brand }) => {
    const ahead = [...tally.rivals].map(
      ([id, rival]) => [names.get(id) ?? id, rival.ahead] as const,
    );
    return `${engine} cites ${brand} in ${plural(tally.cited, 'run')}, after ${topWords(ahead, namesMax)}`;
  },
  'not linked': ({ engine, tally: { named, runs }, brand }) =>
    `${engine} names ${brand} in ${named} of ${plural(runs, 'run')} and links to it in none`,
};

/** The part of the sentence after the counts of the engines. */
function suffixOf({ gap, before, names }: RecommendationInput, all: Tally): string {
  const then = poolEngines(before);
  const lostWords = `; in the time before, ${partOfWhole(then.cited, then.runs)} cited it`;
  return `${gap.kind === 'lost' ? lostWords : ''}${evidenceWords(all, names, gap.kind)}`;
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
  const pages = topWords(
    [...all.pages].map(([page, tally]) => [shorten(page, 100), weightOf(kind, tally)] as const),
    pagesMax,
  );
  return [
    rivals === '' ? '' : `; cited instead: ${rivals}`,
    pages === '' ? '' : `; pages that these answers cite: ${pages}`,
  ].join('');
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
