import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './raw-line.ts';

/** A JSON object of a log. */
export type JsonObject = Readonly<Record<string, unknown>>;

interface JsonFormatOptions {
  readonly name: string;
  /** Whether an object has the keys that make it this format's. */
  readonly isMine: (object: JsonObject) => boolean;
  readonly read: (object: JsonObject) => RawLine;
}

/** Makes a format of one JSON object a line. */
export function jsonFormat({ name, isMine, read }: JsonFormatOptions): LogFormat {
  return { name, parse };

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const object = parseObject(line);
    return object !== undefined && isMine(object) ? readRawLine(read(object)) : undefined;
  }
}

/** The JSON object of a line; undefined where it is none. */
export function parseObject(line: string): JsonObject | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return objectOf(JSON.parse(line));
  } catch {
    // nginx without `escape=json` writes bytes as \x22, which JSON does not know.
    return line.includes('\\x') ? parseLoose(line) : undefined;
  }
}

function parseLoose(line: string): JsonObject | undefined {
  const strict = line.replace(/\\\\|(?:\\x[0-9a-fA-F]{2})+/g, (escape) =>
    escape.startsWith('\\x') ? JSON.stringify(unescapeText(escape)).slice(1, -1) : escape,
  );
  try {
    return objectOf(JSON.parse(strict));
  } catch {
    return undefined;
  }
}

/** A value as an object; undefined where it is none. */
export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of the keys that has something. */
export function firstOf(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && value !== null && value !== '' && value !== '-') return value;
  }
  return undefined;
}
