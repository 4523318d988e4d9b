import { characterBefore } from './scripts.ts';

/** A name next to a full stop that no space follows. Offsets are in code units. */
export interface NameAtStop {
  readonly text: string;
  readonly stop: number;
  /** Where the word after the full stop begins. */
  readonly next: number;
  /** The name, before or after the full stop. */
  readonly start: number;
  readonly end: number;
}

/**
 * Words after the dot in the name of a library, a file or a domain: `Vue.Js`, `ASP.NET`,
 * `README.MD`.
 */
const technical = new Set(
  'js jsx ts tsx net io ai com org app dev py php html htm css json xml yml yaml md txt pdf csv xls xlsx docx pptx png jpg jpeg gif svg webp mp3 mp4 zip exe dll apk sql cpp asp aspx jsp ini cfg toml bat'.split(
    ' ',
  ),
);

/** Words before the dot in the name of a host, a package or an object in code. */
const qualifiers = new Set(
  'www com org net shop blog docs support store help mail api app dev my config module exports process require window document self this import package math system client server index main test file image data sys lib src node hooks hub chat cdn static assets auth login account accounts portal dashboard console admin status community forum learn academy careers jobs cloud project package plugin plugins options option settings params args req res err ctx opts env session cookies headers body query input output logger log db editor user users event events request response state props value values object array string document report backup archive folder folders table schema database design template script styles theme icon logo export import global default version update install build deploy'.split(
    ' ',
  ),
);

/** File extensions that are also names of programs. */
const fileEnds = new Set(['pages', 'numbers', 'keynote', 'sketch', 'figma', 'blend', 'canva']);

/** Whether the full stop before a name ends a sentence: `battery life.JBL Live`, `U8N.Samsung`. */
export function isStopBeforeName(at: NameAtStop): boolean {
  const { text, stop, next, start, end } = at;
  const left = wordBefore(text, stop);
  const right = wordAt(text, next);
  const isWhole = next + right.length >= end;
  if (isWhole && technical.has(right.toLowerCase())) return false;
  if (!isCased(left)) return !isAbbreviated(left, end - start);
  const form = formOf(right);
  if (form === 'caseless') return end - start > 1;
  if (form === 'letter') return !isWhole;
  if (form === 'lower') return isProseAround(at, left);
  // Code such as `shapes.Box(5)`, or `event.Acme` in a code span, does not end a sentence.
  if (text[end] === '(' || isInCodeSpan(text, stop)) return false;
  if (/^\p{Lu}$/u.test(left) && isInCode(at, left)) return false;
  // Code such as `spanCode.ERROR`, and the abbreviation `U.SA`, do not end a sentence.
  if (form === 'capitals' && /^\p{Ll}{2,}\p{Lu}/u.test(left)) return false;
  if (form === 'capitals' && end - start < 3 && /^\p{Lu}$/u.test(left)) return false;
  return !isQualifier(text, stop, left);
}

/** Whether the full stop after a name ends a sentence: `We like JBL.The sound`. */
export function isStopAfterName({ text, next, start, end }: NameAtStop): boolean {
  const right = wordAt(text, next);
  const length = end - start;
  const form = formOf(right);
  if (form === 'caseless') return true;
  // Code such as `Array.isArray` or `express.Router()`, but not prose such as `Samsung.iPhone
  // users`.
  if (form === 'lower' || (form === 'mixed' && !/^\p{Ll}\p{Lu}/u.test(right))) return false;
  if (text[next + right.length] === '(') return false;
  if (form === 'title') return length > 1 && !technical.has(right.toLowerCase());
  // Code such as `node.vR` or `http.STATUS_CODES`.
  const name = text.slice(start, end);
  if (/\p{Ll}/u.test(name) && !/\p{Lu}/u.test(name)) return false;
  if (form === 'letter') return length > 1 && /^[AI][\s'\u2019]/.test(text.slice(next, next + 2));
  return length > 1 && !technical.has(right.toLowerCase());
}

type Form = 'caseless' | 'title' | 'mixed' | 'capitals' | 'letter' | 'lower';

function formOf(word: string): Form {
  if (!isCased(word)) return 'caseless';
  if (/^\p{Lu}\p{M}*$/u.test(word)) return 'letter';
  if (/^[\p{Lu}\p{M}\p{N}]+$/u.test(word)) return 'capitals';
  if (/^\p{Lu}/u.test(word)) return 'title';
  return /\p{Lu}/u.test(word) ? 'mixed' : 'lower';
}

function isCased(word: string): boolean {
  return word === '' || /[\p{Lu}\p{Ll}\p{Lt}]/u.test(word);
}

/**
 * Whether a word of a script without case and the name after its full stop are one abbreviation:
 * the word is one letter, and the name has at most two.
 */
function isAbbreviated(left: string, length: number): boolean {
  return left.length === 1 && length < 3;
}

function isQualifier(text: string, stop: number, left: string): boolean {
  if (/^(?:window|global|globalThis|process|document|exports|self|this)$/.test(left)) return true;
  if (!/^(?:www|com|org|net)$/.test(left)) return false;
  return characterBefore(text, stop - left.length) !== '.';
}

/**
 * Whether the dot after a capital belongs to code: `M.Array<T>`, or a capital that follows no word.
 * False in `vitamin A.Volkswagen` and `U.S.Samsung`, where a sentence ends.
 */
function isInCode({ text, stop, end }: NameAtStop, left: string): boolean {
  const before = text.slice(Math.max(0, stop - left.length - 2), stop - left.length);
  return !/(?:[\p{L}\p{N},]\s|[\p{L}\p{N}][-.])$/u.test(before) || /[<(_[]/.test(text[end] ?? '');
}

const nameLengthMin = 5;
const wordLengthMin = 3;
const lineMax = 400;

/**
 * `for long distances.adidas makes`: a lower-case name after a full stop may be a file extension or
 * a member of an object, so require prose on both sides and no code.
 */
function isProseAround({ text, stop, start, end }: NameAtStop, left: string): boolean {
  if (end - start < nameLengthMin || fileEnds.has(text.slice(start, end))) return false;
  if (left.length < wordLengthMin || !/^\p{Ll}+$/u.test(left) || qualifiers.has(left)) return false;
  const before = stop - left.length;
  if (!/[\p{L}\p{N},)] $/u.test(text.slice(Math.max(0, before - 3), before))) return false;
  if (!/^(?:['\u2019]s|:)?\s/u.test(text.slice(end, end + 3))) return false;
  return !isInCodeSpan(text, stop);
}

function isInCodeSpan(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - lineMax), at);
  return line.slice(line.lastIndexOf('\n') + 1).split('`').length % 2 === 0;
}

const lengthMax = 24;

function wordBefore(text: string, end: number): string {
  return /[\p{L}\p{M}\p{N}]+$/u.exec(text.slice(Math.max(0, end - lengthMax), end))?.[0] ?? '';
}

function wordAt(text: string, start: number): string {
  return /^[\p{L}\p{M}\p{N}]+/u.exec(text.slice(start, start + lengthMax))?.[0] ?? '';
}
