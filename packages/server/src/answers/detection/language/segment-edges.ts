import { characterAt, characterBefore, isDictionaryScript } from './scripts.ts';

/** The locale is fixed, because a machine's settings must not change a figure. */
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Characters on each side of the name that are segmented too. More would not change the result. */
const reach = 60;

/** Names of at least this length count even if the dictionary does not contain them. */
const knownNameLength = 3;

/**
 * Whether a name in a script without spaces (Chinese, Japanese, Thai, ...) is a whole word by the
 * dictionary's segmentation. A dictionary without the name may split it at one side (`对比|亚|迪`). A
 * name of 3 or more characters counts even so, unless a single longer word contains it. A name of
 * two characters counts if the rest of the word that splits it is only a grammar word (`在京|东`).
 */
export function segmentEdges(text: string, start: number, end: number): boolean {
  const from = runStart(text, start);
  const to = runEnd(text, end);
  const name = { start: start - from, end: end - from };
  const segments = words.segment(text.slice(from, to));
  const first = segments.containing(name.start);
  const last = segments.containing(name.end - 1);
  if (first === undefined || last === undefined) return true;
  const isStart = first.index === name.start;
  const isEnd = last.index + last.segment.length === name.end;
  if (isStart && isEnd) return true;
  if (first.index === last.index) return false;
  if (!isStart && !isEnd) return false;
  const { length } = Array.from(text.slice(start, end));
  if (length !== 2) return length >= knownNameLength;
  const lastEnd = last.index + last.segment.length;
  return isStart
    ? grammarBehind.has(text.slice(end, from + lastEnd))
    : grammarBefore.has(text.slice(from + first.index, start));
}

/** Prepositions, conjunctions, verbs that take a name, and particles of one character. */
const grammarBefore = new Set(
  '在从從到去往对對向和与與跟同及或以用被把让讓由给給找像如比是有就也还還又叫买買选選看逛上于於至自因为為,と'.split(
    '',
  ),
);
const grammarBehind = new Set(
  '的了是在和与與跟及或也都就还還又有会會能可不没沒被把将將对對从從给給让讓为為等上里裡中吗嗎呢吧啊着著过過到去来來比用以のはがをにでもとへや'.split(
    '',
  ),
);

function runStart(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < reach; count += 1) {
    const previous = characterBefore(text, at);
    if (previous === '' || !isDictionaryScript(previous)) break;
    at -= previous.length;
  }
  return at;
}

function runEnd(text: string, end: number): number {
  let at = end;
  for (let count = 0; count < reach; count += 1) {
    const next = characterAt(text, at);
    if (next === '' || !isDictionaryScript(next)) break;
    at += next.length;
  }
  return at;
}
