import { findBareHost, hostLength } from './bare-host.ts';
import type { IsAlias } from './bare-host.ts';
import type { DecodedText } from '../text/decode.ts';
import { glued } from './glued.ts';
import type { Link } from './link.ts';

type StructuredText = Pick<DecodedText, 'text' | 'structure'>;

/**
 * Finds the links of an answer, in order, none overlapping: targets of Markdown links and images,
 * reference definitions, bare addresses, bare domains and e-mail addresses. A name inside a link's
 * target is not a mention, unless the link is a bare domain and the domain is an alias. Link texts
 * and footnotes are searched for names like other text.
 */
export function findLinks(decoded: StructuredText, isAlias: IsAlias): Link[] {
  const { text } = decoded;
  const links = [...inlineTargets(decoded), ...definitions(decoded)].toSorted(byStart);
  const addresses = bareAddresses(text, createCover(links), isAlias);
  const merged = merge(links, addresses);
  return merge(merged, bareHosts(text, createCover(merged), isAlias));
}

function inlineTargets(decoded: StructuredText): Link[] {
  const { structure } = decoded;
  const links: Link[] = [];
  for (let at = structure.indexOf(']('); at !== -1; at = structure.indexOf('](', at)) {
    const target = findInlineTarget(decoded, at + 2);
    if (target !== undefined) links.push(target);
    at = target?.end ?? at + 2;
  }
  return links;
}

function definitions(decoded: StructuredText): Link[] {
  const { structure } = decoded;
  const links: Link[] = [];
  for (let at = structure.indexOf(']:'); at !== -1; at = structure.indexOf(']:', at + 2)) {
    const definition = findDefinition(decoded, at);
    if (definition !== undefined) links.push(definition);
  }
  return links;
}

function bareAddresses(text: string, coverEnd: CoverEnd, isAlias: IsAlias): Link[] {
  const links: Link[] = [];
  let last = 0;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const covered = coverEnd(at);
    if (covered !== undefined) {
      at = covered - 3;
      last = covered;
      continue;
    }
    const before = text.slice(Math.max(last, at - 16), at);
    const web = /(?:^|[^+])(https?)$/i.exec(before)?.[1];
    const scheme = web ?? /[a-z][a-z0-9+.-]*$/i.exec(before)?.[0] ?? '';
    const end = authorityEnd(text, at + 3, isAlias);
    const start = at - scheme.length;
    links.push({ start, end, address: web === undefined ? undefined : text.slice(start, end) });
    last = end;
    at = end - 3;
  }
  return links;
}

function bareHosts(text: string, coverEnd: CoverEnd, isAlias: IsAlias): Link[] {
  const links: Link[] = [];
  let last = 0;
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) {
    const covered = coverEnd(at);
    if (covered !== undefined) {
      at = covered - 1;
      last = covered;
      continue;
    }
    const { runEnd, host } = findBareHost(text, at, { from: last, isAlias });
    if (host === undefined) {
      at = Math.max(at, runEnd - 1);
      continue;
    }
    const end = host.isMail ? host.end : pathEnd(text, host.end);
    const isDomain = !host.isMail && end === host.end;
    last = end;
    at = end - 1;
    const address = `https://${text.slice(host.host, end)}`;
    links.push({ start: host.start, end, address, isDomain });
  }
  return links;
}

function pathEnd(text: string, end: number): number {
  const port = /^:\d{1,5}(?![\d.])/.exec(text.slice(end, end + 7))?.[0].length ?? 0;
  const next = text[end + port];
  return next === '/' || next === '?' || next === '#' ? addressEnd(text, end + port) : end + port;
}

const stop = new RegExp(
  `${/[\s<>"`|\\^{}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u201c\u201d\u00ab\u00bb\ue000-\uf8ff]/.source}|${glued.source}`,
  'giu',
);
const joined =
  /^[\w.-]+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/u;

const authority = /^[\p{L}\p{M}\p{N}.\-_%]+/u;

/**
 * The end of an address whose host begins at `from`. It ends with the host if the next character
 * cannot belong to an address: `https://acme.com)Samsung`, `https://acme.com.The next`.
 */
function authorityEnd(text: string, from: number, isAlias: IsAlias): number {
  const end = addressEnd(text, from);
  const address = text.slice(from, end);
  const host = authority.exec(address)?.[0];
  if (host === undefined || /^[^/?#]*@/.test(address)) return end;
  const path = address.slice(host.length);
  if (/^(?:[/?#]|:[\d\p{Ll}])/u.test(path)) return end;
  const isCased = /\.[A-Z][^.]*$/.test(host) && /[a-z]/.test(host);
  const length = isCased ? hostLength(host, isAlias) : 0;
  return from + (length === 0 ? host.length : length);
}

/**
 * The end of a bare address: by the rules of GFM, at the beginning of another address, and where a
 * script without spaces follows the host.
 */
function addressEnd(text: string, from: number): number {
  stop.lastIndex = from;
  const limit = stop.exec(text)?.index ?? text.length;
  const host = joined.exec(text.slice(from, Math.min(limit, from + 260)))?.[0];
  if (host?.includes('.') === true) return from + host.length;
  return trimEnd(text, from, limit);
}

/**
 * Cuts the sentence's punctuation off an address, and everything from a closing bracket on that the
 * address does not open.
 */
function trimEnd(text: string, from: number, limit: number): number {
  let end = closingBracket(text, from, limit) ?? limit;
  while (end > from && /[.,;:!?'*_~\u2019\u2026]/.test(text[end - 1] ?? '')) end -= 1;
  return end;
}

function closingBracket(text: string, from: number, limit: number): number | undefined {
  const depth = { round: 0, square: 0 };
  for (let at = from; at < limit; at += 1) {
    const unit = text[at];
    if (unit === '(') depth.round += 1;
    else if (unit === '[') depth.square += 1;
    else if (unit === ')') depth.round -= 1;
    else if (unit === ']') depth.square -= 1;
    else continue;
    if (depth.round < 0 || depth.square < 0) return at;
  }
  return undefined;
}

/** The end of the link that covers an offset. Call it with ascending offsets. */
type CoverEnd = (at: number) => number | undefined;

function createCover(links: readonly Link[]): CoverEnd {
  let next = 0;
  return function coverEnd(at) {
    for (let link = links[next]; link !== undefined && link.end <= at; link = links[next])
      next += 1;
    const link = links[next];
    return link !== undefined && link.start <= at ? link.end : undefined;
  };
}

function merge(left: readonly Link[], right: readonly Link[]): Link[] {
  return right.length === 0 ? [...left] : [...left, ...right].toSorted(byStart);
}

function byStart(left: Link, right: Link): number {
  return left.start - right.start;
}

/** Search `structure` for brackets and spaces; cut addresses out of `text`. */
type Markdown = Pick<DecodedText, 'text' | 'structure'>;

const targetLengthMax = 8192;

/** The target of an inline link or image whose `](` ends at `start`; undefined if it isn't one. */
function findInlineTarget({ text, structure }: Markdown, start: number): Link | undefined {
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
function findDefinition({ text, structure }: Markdown, at: number): Link | undefined {
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
