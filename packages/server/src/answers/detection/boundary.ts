import { segmentEdges } from './dictionary.ts';
import { isParticle } from './hangul.ts';
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
export function isWholeWord(text: string, start: number, end: number): boolean {
  const before = beginsWord(text, start);
  if (before === false) return false;
  const after = endsWord(text, end);
  if (after === false) return false;
  if (before === true && after === true) return true;
  return segmentEdges(text, start, end);
}

/** What an edge is: a boundary, none, or one that only a dictionary can tell. */
type Edge = boolean | 'dictionary';

/** Written onto a name with an apostrophe: English, then the cases of Turkish. */
const suffix =
  /^(?:s|d|ll|re|ve|[ndt]?[ıiuü]n|[ydt]?[aeıiuü]|[dt][ae]n?|n[dt][ae]n?|y?l[ae]|s[ıiuü]|l[ae]r)$/iu;
const elided =
  /(?<![\p{L}\p{M}\p{Nd}])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|all|dall|nell|sull|quell|bell|un)$/iu;
const apostrophe = /['\u2019\u2018\u02bc\uff07]/;
const letter = /\p{L}/u;

function beginsWord(text: string, start: number): Edge {
  const first = characterAt(text, start);
  const at = skipBack(text, start);
  const previous = characterBefore(text, at);
  if (previous === '') return true;
  if (previous === '_') return !isWordlike(characterBefore(text, skipUnderscoresBack(text, at)));
  if (!isWordlike(first)) return !/[.']/.test(first) || !isWordlike(previous);
  if (isWordlike(previous)) return partsScripts(previous, first);
  const inner = at - previous.length;
  if (!letter.test(characterBefore(text, inner)) || !letter.test(first)) return true;
  if (apostrophe.test(previous)) return elided.test(text.slice(Math.max(0, inner - 8), inner));
  return previous !== '.' || isMissingSpace(text, inner, start);
}

function endsWord(text: string, end: number): Edge {
  // A soft hyphen behind the last letter belongs to what was found.
  const last = characterBefore(text, skipBack(text, end));
  const at = skip(text, end);
  const next = characterAt(text, at);
  if (next === '') return true;
  if (next === '_') return !isWordlike(characterAt(text, skipUnderscores(text, at)));
  if (/\p{M}/u.test(next)) return false;
  if (!isWordlike(last)) return true;
  if (isHangul(last) && isHangul(next)) return isParticle(wordAt(text, at));
  if (isWordlike(next)) return partsScripts(last, next);
  const inner = at + next.length;
  if (!letter.test(characterAt(text, inner)) || !letter.test(last)) return true;
  if (apostrophe.test(next)) return suffix.test(wordAt(text, inner));
  return next !== '.' || isMissingSpace(text, at, inner);
}

/** Between two letters or digits: whether their scripts part words, where they are not one word. */
function partsScripts(left: string, right: string): Edge {
  if (isKatakana(left) && isKatakana(right)) return false;
  const isLeft = isDictionaryScript(left);
  if (isLeft && isDictionaryScript(right)) return 'dictionary';
  if (isLeft || isDictionaryScript(right)) return true;
  return isHangul(left) !== isHangul(right);
}

/** `great.Acme is`: a sentence ended, and its space or footnote got lost. Not `Node.js`, not `ASP.NET`. */
function isMissingSpace(text: string, stop: number, next: number): boolean {
  return (
    /\p{Ll}/u.test(characterBefore(text, stop)) && /^\p{Lu}\p{Ll}/u.test(text.slice(next, next + 4))
  );
}

const wordLengthMax = 16;

/** Letters and marks from an offset on, as far as matters. */
function wordAt(text: string, start: number): string {
  return /^[\p{L}\p{M}]+/u.exec(text.slice(start, start + wordLengthMax))?.[0] ?? '';
}

function skip(text: string, from: number): number {
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
