import { isTopLevel } from './owners.ts';
import { isDictionaryScript, isHangul, isWordlike } from './scripts.ts';

/** A domain or e-mail address that stands in a text without `https://`. Offsets in code units. */
export interface BareHost {
  readonly start: number;
  readonly end: number;
  /** Where the host begins: behind the `@` of an e-mail address. */
  readonly host: number;
  readonly isMail: boolean;
}

const hostLengthMax = 253;
/** Characters that are looked at on each side: hosts are shorter. */
const runMax = 300;

/**
 * The bare domain or e-mail address around the dot at `dot`, that begins at `from` or behind it;
 * undefined where it is none: `Node.js`, `e.g.`, `3.5`, `the end.The next`. `runEnd` is where one
 * may look on.
 */
export function findBareHost(
  text: string,
  dot: number,
  from: number,
): { runEnd: number; host: BareHost | undefined } {
  const left = kindOf(text, dot - 1);
  const right = kindOf(text, dot + 1);
  if (left === undefined || right === undefined) return { runEnd: dot + 1, host: undefined };
  const isForeign = left === 'foreign' || right === 'foreign';
  const start = runStart(text, dot, from, isForeign);
  const first = runEnd(text, dot, isForeign);
  const end = text[first] === '@' ? runEnd(text, first, isForeign) : first;
  const sign = end > first ? first : text[start - 1] === '@' && start > from ? start - 1 : -1;
  return { runEnd: first, host: trimmed(text, { start, end, sign, from }) };
}

/** Without dots and hyphens at the host's ends; with the part before the `@` at `sign`, or -1. */
function trimmed(
  text: string,
  { start, end, sign, from }: { start: number; end: number; sign: number; from: number },
): BareHost | undefined {
  const local = sign === -1 ? sign : localStart(text, sign, from);
  const isMail = local < sign;
  let host = sign === -1 ? start : sign + 1;
  let last = end;
  while (host < last && /[.-]/.test(text[host] ?? '')) host += 1;
  while (last > host && /[.-]/.test(text[last - 1] ?? '')) last -= 1;
  if (!isHost(text.slice(host, last))) return undefined;
  return { start: isMail ? local : host, end: last, host, isMail };
}

function isHost(host: string): boolean {
  const label = host.slice(host.lastIndexOf('.') + 1);
  if (host.length > hostLengthMax || !host.includes('.') || host.includes('..')) return false;
  if (!/^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu.test(label)) return false;
  // `Acme.It is`: a sentence ended there. People who write a domain with a capital write `Acme.Com`.
  if (/^[A-Z][a-z]+$/.test(label) && !capitalised.has(label)) return false;
  return isTopLevel(label.toLowerCase());
}

const capitalised = new Set(['Com', 'Net', 'Org', 'Io', 'Ai', 'App', 'Dev']);

/** What a character is to a host: of a script with spaces, of one without, or no part of one. */
function kindOf(text: string, at: number): 'plain' | 'foreign' | undefined {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return undefined;
  if (unit < 0x80) return isHostAscii(unit) ? 'plain' : undefined;
  const character = String.fromCharCode(unit);
  if (!isWordlike(character)) return undefined;
  return isDictionaryScript(character) || isHangul(character) ? 'foreign' : 'plain';
}

function isHostAscii(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2d ||
    unit === 0x2e
  );
}

function runStart(text: string, dot: number, from: number, isForeign: boolean): number {
  let at = dot;
  while (at > from && dot - at < runMax && isPart(text, at - 1, isForeign)) at -= 1;
  return at;
}

function runEnd(text: string, dot: number, isForeign: boolean): number {
  let at = dot + 1;
  while (at < text.length && at - dot < runMax && isPart(text, at, isForeign)) at += 1;
  return at;
}

/** In `访问acme.com了解` the host ends where the script changes; in `例子.中国` it does not. */
function isPart(text: string, at: number, isForeign: boolean): boolean {
  const kind = kindOf(text, at);
  return kind === 'plain' || (isForeign && kind === 'foreign');
}

/** Where the part before an `@` begins. */
function localStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && at - start < runMax && /[\w.%+-]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}
