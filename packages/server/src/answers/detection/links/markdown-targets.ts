import type { DecodedText } from '../text/decode.ts';
import type { Link } from './link.ts';

/** Search `structure` for brackets and spaces; cut addresses out of `text`. */
type Markdown = Pick<DecodedText, 'text' | 'structure'>;

const targetLengthMax = 8192;

/** The target of an inline link or image whose `](` ends at `start`; undefined if it isn't one. */
export function findInlineTarget({ text, structure }: Markdown, start: number): Link | undefined {
  const from = blanksEnd(structure, start);
  const isBracketed = structure[from] === '<';
  const end = isBracketed ? findBracketedEnd(structure, from) : findBalancedEnd(structure, from);
  if (end === undefined) return undefined;
  const close = blanksEnd(structure, titleEnd(structure, end));
  if (structure[close] !== ')') return undefined;
  const address = isBracketed ? text.slice(from + 1, end - 1) : text.slice(from, end);
  return { start, end: close, address: webAddress(address) };
}

const definition =
  /^(<[^<>\n]*>|[^\s<]\S*)[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))?[ \t]*(?=\r?\n|$)/;

const label = /(?:^|\n) {0,3}\[(?!\^)[^[\]\n]+$/;
const labelLengthMax = 256;

/**
 * Reads the definition `[label]: address "title"` whose `]:` is at `at`. A footnote (`[^1]: text`)
 * is ordinary text, where addresses are found as usual.
 */
export function findDefinition({ text, structure }: Markdown, at: number): Link | undefined {
  if (!label.test(structure.slice(Math.max(0, at - labelLengthMax), at))) return undefined;
  const start = blanksEnd(structure, at + 2);
  const match = definition.exec(structure.slice(start, start + targetLengthMax));
  const length = match?.[1]?.length;
  if (match === null || length === undefined) return undefined;
  const target = text.slice(start, start + length).replace(/^<|>$/g, '');
  if (!/[./#]/.test(target)) return undefined;
  return { start, end: start + match[0].length, address: webAddress(target) };
}

/**
 * The address that a target leads to: `//host` is a web address, and `mailto:` means the domain
 * after the `@`.
 */
function webAddress(target: string): string | undefined {
  const mail = /^mailto:[^@?]*@([^?]+)/i.exec(target)?.[1];
  if (mail !== undefined) return `https://${mail}`;
  if (/^www\./i.test(target)) return `https://${target}`;
  return /^(?:https?:)?\/\//i.test(target) ? target : undefined;
}

function findBracketedEnd(text: string, from: number): number | undefined {
  const close = text.indexOf('>', from);
  if (close === -1 || close - from > targetLengthMax) return undefined;
  return text.slice(from, close).includes('\n') ? undefined : close + 1;
}

/**
 * Reads up to a space or the parenthesis that closes the link. Parentheses within the address come
 * in pairs.
 */
function findBalancedEnd(text: string, from: number): number | undefined {
  let depth = 0;
  const limit = Math.min(text.length, from + targetLengthMax);
  for (let at = from; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20) return at;
    if (unit === 0x28) depth += 1;
    if (unit === 0x29) depth -= 1;
    if (depth < 0) return at;
    // Another link begins here, so this one was never closed.
    if (unit === 0x5d && text.charCodeAt(at + 1) === 0x28) return undefined;
  }
  return undefined;
}

function titleEnd(text: string, end: number): number {
  const following = text.slice(end, end + 1024);
  const title = /^[ \t\n]+(?:"[^"]*"|'[^']*'|\([^()]*\))/.exec(following)?.[0];
  return end + (title?.length ?? 0);
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}
