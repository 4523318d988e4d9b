import type { LogFormat, Span } from './format.ts';
import { findQuoted } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './raw-line.ts';

/** A JSON object of a log. */
export type JsonObject = Readonly<Record<string, unknown>>;

interface JsonFormatOptions {
  readonly name: string;
  /** Whether an object has the keys that make it this format's. */
  readonly isMine: (object: JsonObject) => boolean;
  readonly read: (object: JsonObject) => RawLine;
  /** What stands before the user agent's text: `"http_user_agent":"`. Spellings with spaces are tried too. */
  readonly before: readonly string[];
}

const brace = 0x7b;

/** Makes a format of one JSON object a line. */
export function jsonFormat({ name, isMine, read, before }: JsonFormatOptions): LogFormat {
  const markers = before
    .flatMap((text) => [text, text.replaceAll(':', ': ')])
    .map((text) => Buffer.from(text));
  return { name, locateUserAgent, decodeUserAgent: decodeJsonText, parse };

  function locateUserAgent(bytes: Uint8Array, start: number, end: number, found: Span): boolean {
    if (bytes[start] !== brace) return false;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    // A signed request may be a bot's whatever its user agent says: it is read whole.
    if (isSigned(line)) return false;
    for (const marker of markers) {
      const place = line.indexOf(marker);
      if (place !== -1) return findQuoted(bytes, start + place + marker.length - 1, end, found);
    }
    return false;
  }

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const object = parseObject(line);
    return object !== undefined && isMine(object) ? readRawLine(read(object)) : undefined;
  }
}

const signatureMarker = Buffer.from('ignature', 'latin1');
const signedPattern = /ignature[_-][Ii]nput": ?(?:\[|"[^"-])/;

function isSigned(line: Buffer): boolean {
  return line.includes(signatureMarker) && signedPattern.test(line.toString('latin1'));
}

/** The JSON object of a line; undefined where it is none. */
export function parseObject(line: string): JsonObject | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return objectOf(JSON.parse(line));
  } catch {
    // nginx without `escape=json` writes \x22, which JSON does not know.
    return line.includes('\\x') ? parseLoose(line) : undefined;
  }
}

function parseLoose(line: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(line.replace(/\\x([0-9a-fA-F]{2})/g, '\\u00$1')));
  } catch {
    return undefined;
  }
}

/** A value as an object; undefined where it is none. */
export function objectOf(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
}

/** The first of the keys that has something. */
export function firstOf(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && value !== null && value !== '' && value !== '-') return value;
  }
  return undefined;
}

function decodeJsonText(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    const text: unknown = JSON.parse(`"${raw}"`);
    return typeof text === 'string' ? text : raw;
  } catch {
    return raw;
  }
}
