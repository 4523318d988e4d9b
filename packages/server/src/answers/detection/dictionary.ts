import { characterAt, characterBefore, isDictionaryScript } from './scripts.ts';

/** The locale is fixed: what a machine is set to must not change a figure. */
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Characters on each side that are segmented: dictionaries look no further than a clause. */
const reach = 60;

/** Names of this many characters stand against a dictionary that does not know them. */
const knownNameLength = 3;

/**
 * Whether a name in a script without spaces (Chinese, Japanese, Thai, ...) is whole by the
 * dictionary's segmentation. A dictionary that does not know the name may cut through it at one
 * side (`对比|亚|迪`): a name of 3 characters or more counts all the same, unless one word holds it
 * and more.
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
  return (isStart || isEnd) && Array.from(text.slice(start, end)).length >= knownNameLength;
}

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
