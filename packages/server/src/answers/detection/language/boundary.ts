import { apostropheEnd } from './affixes.ts';
import type { Affixes } from './affixes.ts';
import { segmentEdges } from './dictionary.ts';
import { isParticle } from './hangul.ts';
import { isStopAfterName, isStopBeforeName } from './missing-blank.ts';
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
 * Whether `text[start, end)` is a whole word, or several: not a part of a longer one. UAX #29, with
 * what names need beyond it: possessives and contractions behind, French and Italian elision
 * before, Korean particles behind, Markdown's underscores around, a full stop without its space.
 * Offsets are in code units and lie between characters.
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

/** A place that spells an alias. */
export interface Name {
  readonly alias: string;
  readonly start: number;
  readonly end: number;
}

/** What an edge is: a boundary, none, or one that only a dictionary decides. */
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
    const edge = partsScripts(previous, first);
    if (edge !== false || affixes === undefined) return edge;
    if (!affixes.isPrefix(wordBefore(text, at))) return false;
    // Prefixes are Arabic or Hebrew: before `JBL` nothing else can be meant.
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
  // A soft hyphen behind the last letter belongs to what was found.
  const last = characterBefore(text, skipBack(text, end));
  const at = skip(text, end);
  const next = characterAt(text, at);
  if (next === '') return true;
  if (next === '_') return !isWordlike(characterAt(text, skipUnderscores(text, at)));
  if (/\p{M}/u.test(next)) return false;
  if (!isWordlike(last)) return true;
  if (isHangul(last) && isHangul(next)) return isParticle(endingAt(text, at));
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

/** Between two letters or digits: whether their scripts part words, where they are not one word. */
export function partsScripts(left: string, right: string): Edge {
  if (isKatakana(left) && isKatakana(right)) return false;
  const isLeft = isDictionaryScript(left);
  if (isLeft && isDictionaryScript(right)) return 'dictionary';
  if (isLeft || isDictionaryScript(right)) return true;
  return isHangul(left) !== isHangul(right);
}

/**
 * Whether a name is long enough for an ending, and written as a name: `Googles`, not `targets`. Two
 * letters are enough in capitals (`HPs`).
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

/** A key cap, or a letter in a sign of its own: `1️⃣`, `ℹ️`, `Ⓜ️`. */
const symbol = /^(?:[0-9#*]\ufe0f?\u20e3|\u2139\ufe0f?)/u;

function isSymbol(text: string, at: number): boolean {
  const from =
    text.charCodeAt(at) === 0x20e3 ? at - (text.charCodeAt(at - 1) === 0xfe0f ? 2 : 1) : at;
  return symbol.test(text.slice(Math.max(0, from), from + 3));
}

/** Companies' suffixes in katakana: `ソニーグループ`. */
const companyEnd =
  /^(?:グループ|ホールディングス|ジャパン|コーポレーション|インターナショナル)(?![\p{Script=Katakana}\u30fc\uff70])/u;

const wordLengthMax = 16;

/** Letters and marks before an offset, as far as matters. */
function wordBefore(text: string, end: number): string {
  return /[\p{L}\p{M}\p{N}_]+$/u.exec(text.slice(Math.max(0, end - wordLengthMax), end))?.[0] ?? '';
}

/**
 * Letters, digits and marks from an offset on, as far as matters, that may be an ending: without
 * Markdown's underscores behind them, and up to a script that parts words.
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

/** The offset behind characters that nobody sees. */
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
