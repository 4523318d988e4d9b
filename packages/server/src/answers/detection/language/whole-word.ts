import { apostropheEnd } from './affixes.ts';
import type { Affixes } from './affixes.ts';
import { isHangulParticle } from './hangul-particle.ts';
import { isStopAfterName, isStopBeforeName } from './name-stops.ts';
import {
  characterAt,
  characterBefore,
  isDictionaryScript,
  isHangul,
  isInvisible,
  isKatakana,
  isWordlike,
} from './scripts.ts';

/**
 * Whether `text[start, end)` is one or more whole words, not a part of a longer word. Follows UAX
 * #29, with additions for names: possessives, contractions and Korean particles after the name,
 * French and Italian elision before it, Markdown's underscores around it, and a full stop without a
 * space. Offsets are in code units and lie between characters.
 */
export function isWholeWord(text: string, name: Name, affixes?: Affixes): boolean {
  const { start, end } = name;
  const before = beginsWord(text, name, affixes);
  if (before === false) return false;
  const after = endsWord(text, name, affixes);
  if (after === false) return false;
  if (before === true && after === true) return true;
  return segmentEdges(text, start, end);
}

/** A place in the text that spells an alias. */
export interface Name {
  readonly alias: string;
  readonly start: number;
  readonly end: number;
}

/** Whether an edge of a name is a word boundary. Only a dictionary may know. */
type Edge = boolean | 'dictionary';

const elided =
  /(?<![\p{L}\p{M}\p{Nd}])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|all|dall|nell|sull|quell|bell|un|quest|anch|gl|agl|presqu|ch)$/iu;
export const apostrophe = /['\u2019\u2018\u02bc\uff07]/;
const letter = /\p{L}/u;

function beginsWord(text: string, { alias, start, end }: Name, affixes?: Affixes): Edge {
  const first = characterAt(text, start);
  const at = skipBack(text, start);
  const previous = characterBefore(text, at);
  if (previous === '') return true;
  if (previous === '_') return !isWordlike(characterBefore(text, skipUnderscoresBack(text, at)));
  if (!isWordlike(first)) return !/[.']/.test(first) || !isWordlike(previous);
  if (isWordlike(previous)) {
    if (isSymbol(text, at - previous.length)) return true;
    if (/\p{Lu}/u.test(first) && price.test(text.slice(Math.max(0, at - priceLengthMax), at)))
      return true;
    const edge = partsScripts(previous, first);
    if (edge !== false || affixes === undefined) return edge;
    if (!affixes.isPrefix(wordBefore(text, at))) return false;
    // Before a Latin name such as `JBL`, Arabic or Hebrew letters can only be a prefix.
    return (
      /[\p{Script=Latin}\p{N}]/u.test(first) || takesAffix(text, { alias, start, end }, affixes)
    );
  }
  const inner = at - previous.length;
  if (!letter.test(characterBefore(text, inner)) || !letter.test(first)) return true;
  if (apostrophe.test(previous)) return elided.test(text.slice(Math.max(0, inner - 8), inner));
  return previous !== '.' || isStopBeforeName({ text, stop: inner, next: start, start, end });
}

function endsWord(text: string, { alias, start, end }: Name, affixes?: Affixes): Edge {
  // A soft hyphen after the last letter belongs to the name.
  const last = characterBefore(text, skipBack(text, end));
  const at = skip(text, end);
  const next = characterAt(text, at);
  if (next === '') return true;
  if (next === '_') return !isWordlike(characterAt(text, skipUnderscores(text, at)));
  if (/\p{M}/u.test(next)) return false;
  if (!isWordlike(last)) return true;
  if (isHangul(last) && isHangul(next)) return isHangulParticle(endingAt(text, at));
  if (isWordlike(next)) {
    if (isSymbol(text, at)) return true;
    if (isKatakana(last) && isKatakana(next))
      return companyEnd.test(text.slice(at, at + wordLengthMax));
    const edge = partsScripts(last, next);
    if (edge !== false || affixes === undefined) return edge;
    const isSuffix = affixes.isSuffix(endingAt(text, at), text.slice(start, end));
    return isSuffix && takesAffix(text, { alias, start, end }, affixes);
  }
  const inner = at + next.length;
  if (!letter.test(characterAt(text, inner)) || !letter.test(last)) return true;
  if (apostrophe.test(next)) return apostropheEnd.test(endingAt(text, inner));
  return next !== '.' || isStopAfterName({ text, stop: at, next: inner, start, end });
}

/** Between two letters or digits: whether a change of script separates two words here. */
export function partsScripts(left: string, right: string): Edge {
  if (isKatakana(left) && isKatakana(right)) return false;
  const isLeft = isDictionaryScript(left);
  if (isLeft && isDictionaryScript(right)) return 'dictionary';
  if (isLeft || isDictionaryScript(right)) return true;
  return isHangul(left) !== isHangul(right);
}

/**
 * Whether a name is long enough to have an ending, and is written with a capital: `Googles`, not
 * `targets`. Two letters are enough if both are capitals (`HPs`).
 */
export function takesAffix(
  text: string,
  { alias, start, end }: Name,
  { nameLettersMin }: Affixes,
): boolean {
  const name = text.slice(start, end);
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  const hasCapital = /\p{Lu}/u.test(name) || !/\p{Lu}/u.test(alias);
  const isShort = letters < 3 && /\p{Ll}/u.test(name);
  return letters >= nameLettersMin && hasCapital && !isShort;
}

/** A key cap or another letter that is drawn as an emoji: `1️⃣`, `ℹ️`, `Ⓜ️`. */
const symbol = /^(?:[0-9#*]\ufe0f?\u20e3|\u2139\ufe0f?)/u;

function isSymbol(text: string, at: number): boolean {
  const from =
    text.charCodeAt(at) === 0x20e3 ? at - (text.charCodeAt(at - 1) === 0xfe0f ? 2 : 1) : at;
  return symbol.test(text.slice(Math.max(0, from), from + 3));
}

/** A price of a shop's card, whose words lost the blanks between them. */
const price = /[$€£¥]\s?\d[\d.,]*\d$/u;
const priceLengthMax = 16;

/** Companies' suffixes in katakana: `ソニーグループ`. */
const companyEnd =
  /^(?:グループ|ホールディングス|ジャパン|コーポレーション|インターナショナル)(?![\p{Script=Katakana}\u30fc\uff70])/u;

const wordLengthMax = 16;

/** The letters and marks right before an offset, up to a maximum length. */
function wordBefore(text: string, end: number): string {
  return /[\p{L}\p{M}\p{N}_]+$/u.exec(text.slice(Math.max(0, end - wordLengthMax), end))?.[0] ?? '';
}

/**
 * The letters, digits and marks from an offset on that may be an ending, up to a maximum length.
 * Stops at a script that separates words, and drops Markdown's underscores at the end.
 */
export function endingAt(text: string, start: number): string {
  const run = /^[\p{L}\p{M}\p{Nd}_]+/u.exec(text.slice(start, start + wordLengthMax))?.[0] ?? '';
  const word = run.replace(/_+$/, '');
  let previous = '';
  let length = 0;
  for (const character of word) {
    if (previous !== '' && partsScripts(previous, character) === true) break;
    length += character.length;
    previous = character;
  }
  return word.slice(0, length);
}

/** The offset after any invisible characters. */
export function skip(text: string, from: number): number {
  let at = from;
  for (let next = characterAt(text, at); next !== '' && isInvisible(next);) {
    at += next.length;
    next = characterAt(text, at);
  }
  return at;
}

function skipBack(text: string, from: number): number {
  let at = from;
  for (let next = characterBefore(text, at); next !== '' && isInvisible(next);) {
    at -= next.length;
    next = characterBefore(text, at);
  }
  return at;
}

function skipUnderscores(text: string, from: number): number {
  let at = from;
  while (text[at] === '_') at += 1;
  return at;
}

function skipUnderscoresBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && text[at - 1] === '_') at -= 1;
  return at;
}

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
function segmentEdges(text: string, start: number, end: number): boolean {
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
