import { findBareHost } from './bare-host.ts';
import type { DecodedText } from './decode.ts';
import { glued } from './glued.ts';
import { findDefinition, findInlineTarget } from './markdown.ts';

/** A link within an answer. Offsets are in code units. */
export interface Link {
  readonly start: number;
  readonly end: number;
  /** The address as it can be parsed; undefined where nothing on the web is meant (`#top`, `ftp:`). */
  readonly address: string | undefined;
}

type Decoded = Pick<DecodedText, 'text' | 'structure'>;

/** Whether a bare domain, as it is written, is itself a name that is looked for. */
export type IsName = (text: string) => boolean;

/**
 * Finds the links of an answer, in order, none overlapping: targets of Markdown links and images,
 * reference definitions, bare addresses, bare domains and e-mail addresses. What stands in them is
 * no mention. Link texts, footnotes and everything else is left to be read.
 */
export function findLinks(decoded: Decoded, isName: IsName): Link[] {
  const { text } = decoded;
  const links = [...inlineTargets(decoded), ...definitions(decoded)].toSorted(byStart);
  const addresses = bareAddresses(text, createCover(links));
  const found = merge(links, addresses);
  return merge(found, bareHosts(text, createCover(found), isName));
}

function inlineTargets(decoded: Decoded): Link[] {
  const { structure } = decoded;
  const links: Link[] = [];
  for (let at = structure.indexOf(']('); at !== -1; at = structure.indexOf('](', at)) {
    const target = findInlineTarget(decoded, at + 2);
    if (target !== undefined) links.push(target);
    at = target?.end ?? at + 2;
  }
  return links;
}

function definitions(decoded: Decoded): Link[] {
  const { structure } = decoded;
  const links: Link[] = [];
  for (let at = structure.indexOf(']:'); at !== -1; at = structure.indexOf(']:', at + 2)) {
    const definition = findDefinition(decoded, at);
    if (definition !== undefined) links.push(definition);
  }
  return links;
}

function bareAddresses(text: string, coverEnd: CoverEnd): Link[] {
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
    const end = addressEnd(text, at + 3);
    const start = at - scheme.length;
    links.push({ start, end, address: web === undefined ? undefined : text.slice(start, end) });
    last = end;
    at = end - 3;
  }
  return links;
}

function bareHosts(text: string, coverEnd: CoverEnd, isName: IsName): Link[] {
  const links: Link[] = [];
  let last = 0;
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) {
    const covered = coverEnd(at);
    if (covered !== undefined) {
      at = covered - 1;
      last = covered;
      continue;
    }
    const { runEnd, host } = findBareHost(text, at, last);
    if (host === undefined) {
      at = Math.max(at, runEnd - 1);
      continue;
    }
    const end = host.isMail ? host.end : pathEnd(text, host.end);
    const written = text.slice(host.start, host.end);
    last = end;
    at = end - 1;
    if (!host.isMail && end === host.end && isName(written)) continue;
    links.push({ start: host.start, end, address: `https://${text.slice(host.host, end)}` });
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

/** Where a bare address ends: GFM's rules, where another begins, and where a script without spaces goes on behind the host. */
function addressEnd(text: string, from: number): number {
  stop.lastIndex = from;
  const limit = stop.exec(text)?.index ?? text.length;
  const host = joined.exec(text.slice(from, Math.min(limit, from + 260)))?.[0];
  if (host?.includes('.') === true) return from + host.length;
  return trimEnd(text, from, limit);
}

/** Without the sentence's punctuation and the brackets around it. */
function trimEnd(text: string, from: number, limit: number): number {
  const address = text.slice(from, limit);
  const surplus = { ')': surplusOf(address, '(', ')'), ']': surplusOf(address, '[', ']') };
  let end = limit;
  for (; end > from; end -= 1) {
    const last = text[end - 1] ?? '';
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break;
      surplus[last] -= 1;
    } else if (!/[.,;:!?'*_~\u2019\u2026]/.test(last)) break;
  }
  return end;
}

/** How many more brackets close than open. */
function surplusOf(address: string, open: string, close: string): number {
  return address.split(close).length - address.split(open).length;
}

/** The end of the link that covers an offset. Asked with ascending offsets. */
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
