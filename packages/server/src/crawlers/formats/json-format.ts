import { parseJson } from '../../values/json.ts';
import { isRequest, nameFields } from './field-names.ts';
import type { NamedValue, RawLine } from './field-names.ts';
import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** One layout of JSON lines: what makes a line its own, where its names are not the usual ones. */
export interface JsonLayout {
  readonly title: string;
  /** Paths that a line must have; each entry is a list of alternatives, separated by spaces. */
  readonly needs: readonly string[];
  /** The object that describes the request. Other fields are beside it. */
  readonly within?: string;
  /** Fields of the line that have no name of their own. */
  readonly also?: (object: JsonRecord) => RawLine;
}

/** How deep the fields of a request may lie. */
const depthMax = 5;

/** Makes a format of one JSON object a line, in the first of the layouts that it has all parts of. */
export function jsonFormat(layouts: readonly JsonLayout[]): LogFormat {
  return (line) => {
    const object = parseObject(line);
    if (object === undefined) return undefined;
    const layout = layouts.find(({ needs }) =>
      needs.every((paths) => paths.split(' ').some((path) => valueAt(object, path) !== undefined)),
    );
    if (layout === undefined) return undefined;
    const raw = fieldsOf(object, layout);
    // Without any needs, an object is a request if it says when and what.
    return layout.needs.length > 0 || isRequest(raw) ? readRawLine(raw) : undefined;
  };
}

function fieldsOf(object: JsonRecord, { within, also }: JsonLayout): RawLine {
  if (within === undefined) return { ...nameFields(valuesOf(object)), ...also?.(object) };
  const inner = object[within];
  // Azure keeps some requests as JSON within JSON.
  const request = typeof inner === 'string' ? parseObject(inner) : inner;
  return {
    ...nameFields(valuesOf({ ...object, [within]: undefined })),
    ...nameFields(valuesOf(request)),
    ...also?.(object),
  };
}

/** The fields of a request in a JSON object within a line; none if it is not one. */
export function fieldsOfJson(text: string): RawLine {
  return nameFields(valuesOf(parseObject(text) ?? {}));
}

/** The values within a value, each with its path. */
function valuesOf(value: unknown, path = '', values: NamedValue[] = [], depth = 0): NamedValue[] {
  if (Array.isArray(value)) values.push(...listValues(value, path));
  else if (!isObject(value)) values.push([path, value]);
  else if (depth <= depthMax) {
    for (const key of Object.keys(value)) {
      valuesOf(value[key], path === '' ? key : `${path}.${key}`, values, depth + 1);
    }
  }
  return values;
}

/** Values of one header, joined as RFC 9110, 5.3 says; or AWS WAF's headers, each with its name. */
function listValues(list: readonly unknown[], path: string): readonly NamedValue[] {
  const objects = list.filter(isObject);
  // Lists within lists can be too deep to become text.
  const texts = list.filter((value) => typeof value !== 'object').map(String);
  if (objects.length === 0) return [[path, texts.join(', ')]];
  return objects.map(({ name, value }) => [`${path}.${String(name)}`, value]);
}

/** The JSON object of a line. Undefined for other lines. Numbers too long for a double become strings. */
export function parseObject(line: string): JsonRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = parseExactly(line);
  // nginx without `escape=json` writes bytes as \x22, which JSON does not know.
  const isLoose = value === undefined && line.includes('\\x');
  const object = isLoose ? parseExactly(withoutBytes(line)) : value;
  return isObject(object) ? object : undefined;
}

function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return parseJson(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    // Lists within lists can be too deep for a function that is called for each value.
    return parseJson(text);
  }
}

const longNumber = /[:,[]\s*\d{17}/;

/** Nanoseconds since 1970 are more than a double can hold. */
function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string } = {}) {
  return typeof value === 'number' && /^\d{17,}$/.test(source) ? source : value;
}

function withoutBytes(line: string): string {
  return line.replace(/\\\\|(?:\\x[0-9a-fA-F]{2})+/g, (escape) =>
    escape.startsWith('\\x') ? JSON.stringify(unescapeText(escape)).slice(1, -1) : escape,
  );
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value at `a.b.c`, whether the dots are part of keys or separate them; of an array its first
 * element.
 */
export function valueAt(object: JsonRecord, path: string): unknown {
  const whole = ownValue(object, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = ownValue(object, path.slice(0, dot));
    const value = isObject(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function ownValue(object: JsonRecord, key: string): unknown {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/**
 * The objects of a line that holds several, as drains and event hubs deliver them: a JSON array, or one
 * under `records`; also the lines of an array that is written over several. Undefined for other lines.
 */
export function itemsOf(line: string): readonly string[] | undefined {
  if (!beginsArray.test(line) && !isPiece(line)) return undefined;
  const text = line.trim().replace(/,$/, '');
  if (text === '[' || text === ']') return [''];
  const value = parseExactly(text);
  const list = isObject(value) ? (value['records'] ?? value['Records']) : value;
  if (Array.isArray(list) && list.length > 0) return list.map((item) => JSON.stringify(item));
  const single = text.replace(/^\[/, '').replace(/\]$/, '').trim();
  return single.startsWith('{') && single !== line ? [single] : undefined;
}

/** More than requests that are a line's longest array can have: a request has over 80 bytes. */
const itemsMax = 50_000;

/**
 * Whether a line of `itemsOf` has more items than any log. Counts them without making them, which
 * would take seconds.
 */
export function hasTooManyItems(line: string): boolean {
  const listDepth = /^\s*\[/.test(line) ? 1 : 2;
  let [commas, depth, isText] = [0, 0, false];
  for (let at = 0; at < line.length && commas < itemsMax; at++) {
    const character = line[at] ?? '';
    if (character === '"') isText = !isText;
    else if (character === '\\') at++;
    else if (!isText) {
      if ('[{'.includes(character)) depth++;
      else if (']}'.includes(character)) depth--;
      else if (character === ',' && depth === listDepth) commas++;
    }
  }
  return commas >= itemsMax;
}

const beginsArray = /^\s*(?:\[\s*(?:\{|$)|\],?\s*$|\{\s*"[Rr]ecords"\s*:\s*\[)/;

/** One object of an array that is written over several lines: a comma or the array's end follows it. */
function isPiece(line: string): boolean {
  return line.startsWith('{') && (line.endsWith('},') || line.endsWith('}]'));
}
