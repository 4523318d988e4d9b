import { CommandError } from '../../problems.ts';
import { formatPrefix, parsePrefix } from '../addresses/prefix.ts';
import { parseTime } from '../formats/time.ts';
import { parseJson } from '../../values/json.ts';

/** An operator's list of networks. */
export interface ListFile {
  /** Each network in its one spelling, once, in order. */
  readonly prefixes: readonly string[];
  /** The time that the file itself gives, in milliseconds since 1970. */
  readonly createdMs: number | null;
}

const prefixKeys = new Set(['ipv4Prefix', 'ipv6Prefix', 'ip_prefix', 'ipv6_prefix']);
const arrayKeys = new Set(['prefixes', 'ipv6_prefixes', 'addresses', 'ipv6_addresses']);
const timeKeys = ['creationTime', 'createDate', 'syncToken'];

/**
 * Reads a list as operators publish them: JSON with `prefixes` and `creationTime`; a page with such
 * JSON in it; a text or CSV file with a network first on each line (RFC 8805). Throws a
 * `CommandError` where there is no network in it, or one so wide that it can be nobody's list.
 */
export function parseListFile(text: string): ListFile {
  const { found, createdMs } = readJson(text) ?? { found: readText(text), createdMs: null };
  const prefixes = new Set<string>();
  for (const written of found) {
    const prefix = parsePrefix(written);
    if (prefix === undefined) throw new CommandError(`"${written.slice(0, 60)}" is not a network.`);
    if (prefix.bits < (prefix.address.family === 4 ? 8 : 16)) {
      throw new CommandError(`${written} is too wide a network to be an operator's.`);
    }
    prefixes.add(formatPrefix(prefix));
  }
  if (prefixes.size === 0) throw new CommandError('There is no network in it.');
  return { prefixes: [...prefixes].toSorted(), createdMs };
}

function readJson(text: string): { found: string[]; createdMs: number | null } | undefined {
  const value = parseJson(text) ?? embeddedJson(text.replaceAll('&quot;', '"'));
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = new Map<string, unknown>(Object.entries(value));
  const times = timeKeys.map((key) => parseTime(entries.get(key)));
  return { found: collect(value), createdMs: times.find((ms) => ms !== undefined) ?? null };
}

/** Objects around the key, from within, that are tried: some pages have the list deeper than others. */
const depthsMax = 8;

/**
 * Amazon's pages carry the list in a script: the object around the first `"prefixes"`. Each try reads the
 * page at most once, whatever it is made of.
 */
function embeddedJson(text: string): unknown {
  const key = text.indexOf('"prefixes"');
  let start = key === -1 ? -1 : openingBrace(text, key);
  for (let depth = 0; start !== -1 && depth < depthsMax; depth++) {
    const value = parseJson(text.slice(start, closingBrace(text, start) + 1));
    if (value !== undefined) return value;
    start = openingBrace(text, start);
  }
  return undefined;
}

/** Where the object begins that the character before `end` is in; -1 where it is in none. */
function openingBrace(text: string, end: number): number {
  let closed = 0;
  for (let index = end - 1; index >= 0; index--) {
    const character = text[index];
    if (character === '}') closed++;
    else if (character === '{' && closed-- === 0) return index;
  }
  return -1;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '{') depth++;
    if (character === '}' && --depth === 0) return index;
  }
  return start;
}

/** Lists are a few levels deep; a page of brackets alone would be many thousand. */
const levelsMax = 32;

/** Every network under the keys that operators use, however deep. */
function collect(value: unknown, { isList = false, level = 0 } = {}): string[] {
  if (level > levelsMax) return [];
  if (typeof value === 'string') return isList ? [value] : [];
  if (Array.isArray(value))
    return value.flatMap((item) => collect(item, { isList, level: level + 1 }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    collect(item, {
      isList: prefixKeys.has(key) || (Array.isArray(item) && arrayKeys.has(key)),
      level: level + 1,
    }),
  );
}

function readText(text: string): string[] {
  if (text.includes('<')) return [];
  return text
    .split('\n')
    .map((line) => (line.split(/[,#\s]/)[0] ?? '').trim())
    .filter((word) => word !== '');
}
