import { foldString } from '../text/fold.ts';
import type { FoldedText } from '../text/fold.ts';

/** Called for each place that spells a name, with the name's index and the folded offsets. */
export type FoundName = (name: number, start: number, end: number) => void;

/** A node in the tree of all names: which units may come next, and which names end here. */
interface Node {
  readonly next: Map<number, Node>;
  /** Where the next part of a name begins, after a separator if there is one. */
  part: Node | undefined;
  readonly ends: number[];
}

/**
 * Makes a function that finds every place where a folded text spells one of the names, as
 * a whole word or not. A space or hyphen within a name also matches the other one, or nothing. A text
 * that adds a space or hyphen to a name does not spell it.
 */
export function createNameFinder(
  names: readonly string[],
): (text: FoldedText, onName: FoundName) => void {
  const root = createNode();
  for (const [index, name] of names.entries()) insert(root, name, index);
  const openings = findOpenings(root);

  return function findNames({ codes, length }, onName) {
    let previous = 0;
    for (let at = 0; at < length; at += 1) {
      const code = codes[at] ?? 0;
      // No name begins within an ASCII word, so few places need a closer look. A price may be glued
      // to the name behind it.
      const isInWord = isAsciiWord(previous) && isAsciiWord(code);
      if (
        !(isInWord && (isAsciiLetter(previous) || !isAsciiLetter(code))) &&
        openings[pair(code, codes[at + 1] ?? 0)] === 1
      ) {
        walk(root, { codes, length, start: at, onName }, at);
      }
      previous = code;
    }
  };
}

interface Walk {
  readonly codes: Uint16Array;
  readonly length: number;
  readonly start: number;
  readonly onName: FoundName;
}

function walk(node: Node, context: Walk, at: number): void {
  for (const name of node.ends) context.onName(name, context.start, at);
  if (node.part !== undefined) {
    walk(node.part, context, separatorEnd(context.codes, context.length, at));
  }
  if (at === context.length) return;
  const next = node.next.get(context.codes[at] ?? 0);
  if (next !== undefined) walk(next, context, at + 1);
}

const [tab, lineFeed, carriageReturn, space, hyphen] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];
const quoteMark = 0x3e;
const [asterisk, underscore, backtick, tilde] = [0x2a, 0x5f, 0x60, 0x7e];
const emphasisMax = 3;
const blanksMax = 4;
const indentMax = 16;

/**
 * Where a separator that begins at `at` ends; `at` itself if there is none. A separator is one
 * hyphen, which may end its line, or white space with at most one line break, with Markdown's emphasis around it:
 * `**Demand** IQ`.
 */
function separatorEnd(codes: Uint16Array, length: number, at: number): number {
  const opened = emphasisEnd(codes, length, at);
  let end = opened;
  if (codes[end] === hyphen && end < length) end = lineEnd(codes, length, end + 1);
  else end = blanksEnd(codes, length, end);
  if (end === opened && holdsUnderscore(codes, at, end)) return at;
  return emphasisEnd(codes, length, end);
}

/** The beginning of the next line's text, if the line ends at `at`; else `at`. */
function lineEnd(codes: Uint16Array, length: number, at: number): number {
  const end = blanksEnd(codes, length, at);
  return codes.subarray(at, end).includes(lineFeed) ? end : at;
}

/**
 * White space with at most one line break. After the break, the indentation of a list or the marks
 * of a quotation may follow.
 */
function blanksEnd(codes: Uint16Array, length: number, at: number): number {
  const end = spacesEnd(codes, length, at, blanksMax);
  if (end === length || codes[end] !== lineFeed) return end;
  const indented = spacesEnd(codes, length, end + 1, indentMax);
  const isMarked = indented < length && codes[indented] === quoteMark && isQuoted(codes, at);
  const next = isMarked ? marksEnd(codes, length, indented) : indented;
  return next < length && codes[next] === lineFeed ? at : next;
}

function spacesEnd(codes: Uint16Array, length: number, at: number, max: number): number {
  let end = at;
  while (end < length && end - at < max && isBlank(codes[end])) end += 1;
  return end;
}

function isBlank(code: number | undefined): boolean {
  return code === space || code === tab || code === carriageReturn;
}

/** Whether the line around `at` is a quotation (`> text`). */
function isQuoted(codes: Uint16Array, at: number): boolean {
  let start = at;
  while (start > 0 && codes[start - 1] !== lineFeed) start -= 1;
  return codes[spacesEnd(codes, at, start, indentMax)] === quoteMark;
}

function marksEnd(codes: Uint16Array, length: number, at: number): number {
  let end = at;
  while (end < length && (codes[end] === quoteMark || isBlank(codes[end]))) end += 1;
  return end;
}

function emphasisEnd(codes: Uint16Array, length: number, at: number): number {
  let end = at;
  while (end < length && end - at < emphasisMax) {
    const code = codes[end];
    if (code !== asterisk && code !== underscore && code !== backtick && code !== tilde) break;
    end += 1;
  }
  return end;
}

/** An underscore does not separate words: `demand_iq` is one word. */
function holdsUnderscore(codes: Uint16Array, start: number, end: number): boolean {
  return codes.subarray(start, end).includes(underscore);
}

function createNode(): Node {
  return { next: new Map(), part: undefined, ends: [] };
}

function insert(root: Node, name: string, index: number): void {
  const parts = foldString(name.trim()).split(/(?<=[^\s-])[\s-]+(?=[^\s-])/);
  let node = root;
  for (const [place, part] of parts.entries()) {
    if (place > 0) node = node.part ??= createNode();
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      const next = node.next.get(code) ?? createNode();
      node.next.set(code, next);
      node = next;
    }
  }
  if (node !== root) node.ends.push(index);
}

/** Hashes of the first two units of each name. Most words of a text match none and are skipped. */
function findOpenings(root: Node): Uint8Array {
  const openings = new Uint8Array(65_536);
  for (const [first, { next, part, ends }] of root.next) {
    const isAnyNext = part !== undefined || ends.length > 0;
    if (isAnyNext)
      for (let second = 0; second < 65_536; second += 1) openings[pair(first, second)] = 1;
    else for (const second of next.keys()) openings[pair(first, second)] = 1;
  }
  return openings;
}

function pair(first: number, second: number): number {
  return (Math.imul(first, 0x9e5) ^ second) & 0xffff;
}

function isAsciiLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isAsciiWord(code: number): boolean {
  return isAsciiLetter(code) || (code >= 0x30 && code <= 0x39);
}
