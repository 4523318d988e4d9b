import type { LogFormat } from './format.ts';
import { closingQuote } from './quoted.ts';
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

/** Makes a format of one JSON object a line. */
export function jsonFormat({ name, isMine, read, before }: JsonFormatOptions): LogFormat {
  const markers = before.flatMap((text) => [text, text.replaceAll(':', ': ')]);
  return { name, userAgentOf, decodeUserAgent: decodeJsonText, parse };

  function userAgentOf(line: string): string | undefined {
    // A signed request may be a bot's whatever its user agent says: it is read whole.
    if (!line.startsWith('{') || signed.test(line)) return undefined;
    for (const marker of markers) {
      const place = line.indexOf(marker);
      if (place === -1) continue;
      const start = place + marker.length;
      const end = closingQuote(line, start - 1);
      return end === -1 ? undefined : line.slice(start, end);
    }
    return undefined;
  }

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const object = parseObject(line);
    return object !== undefined && isMine(object) ? readRawLine(read(object)) : undefined;
  }
}

const signed = /ignature[_-][Ii]nput": ?(?:\[|"[^"-])/;

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
