import { CommandError } from '../../problems.ts';
import type { LogFormat } from './format.ts';
import { objectOf, parseObject } from './json-format.ts';
import type { JsonObject } from './json-format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './raw-line.ts';

/** What a column or key may be called, and what it is. */
const names = {
  time: 'time',
  user_agent: 'userAgent',
  request: 'request',
  method: 'method',
  target: 'target',
  query: 'query',
  host: 'host',
  address: 'address',
  forwarded_for: 'forwardedFor',
  forwarded: 'forwarded',
  cf_connecting_ip: 'cfConnectingIp',
  true_client_ip: 'trueClientIp',
  status: 'status',
  signature_agent: 'signatureAgent',
  signature_input: 'signatureInput',
  signature: 'signature',
  scheme: 'scheme',
} as const satisfies Record<string, keyof RawLine>;

type Name = keyof typeof names;

/**
 * Makes a format of `--format fields=...`. Names with a key behind a colon read JSON lines
 * (`time:ts,user_agent:http.ua`); names alone are the columns in order, `-` for one that does not
 * matter. Columns stand apart by tabs or spaces, `"..."` and `[...]` being one.
 * Throws a `CommandError` for a name that is unknown, or for fields that cannot make a hit.
 */
export function customFormat(text: string): LogFormat {
  const fields = text.split(',').map(readField);
  const has = (name: Name) => fields.some((field) => field.name === name);
  if (!has('time') || !has('user_agent') || !(has('request') || (has('method') && has('target')))) {
    throw usage('It needs time, user_agent, and request or both method and target.');
  }
  const keyed = fields.filter((field) => field.key !== undefined);
  if (keyed.length > 0 && keyed.length < fields.length) {
    throw usage('Give every name a key (name:key), for JSON lines, or none, for columns.');
  }
  const read = keyed.length > 0 ? readKeys : readColumns;
  return { name: 'fields', parse };

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const raw = read(line, fields);
    return raw === undefined ? 'unknown_format' : readRawLine(raw);
  }
}

interface Field {
  readonly name: Name | undefined;
  readonly key: string | undefined;
}

function readField(text: string): Field {
  const [name = '', key] = text.trim().split(/:(.*)/s);
  if (name === '-') return { name: undefined, key };
  if (!isName(name)) {
    throw usage(`"${name}" is not a name; there are ${Object.keys(names).join(', ')} and -.`);
  }
  return { name, key };
}

function isName(text: string): text is Name {
  return Object.hasOwn(names, text);
}

function readKeys(line: string, fields: readonly Field[]): RawLine | undefined {
  const object = parseObject(line);
  return object === undefined ? undefined : rawLine(fields, ({ key = '' }) => valueAt(object, key));
}

function readColumns(line: string, fields: readonly Field[]): RawLine | undefined {
  const values = line.includes('\t')
    ? line.split('\t')
    : [...line.matchAll(/"((?:[^"\\]|\\.)*)"|\[([^[\]]*)\]|(\S+)/g)].map(
        ([whole, quoted, bracketed]) =>
          quoted === undefined ? (bracketed ?? whole) : unescapeText(quoted),
      );
  if (values.length < fields.length) return undefined;
  return rawLine(fields, (_field, index) => values[index]);
}

function rawLine(
  fields: readonly Field[],
  valueOf: (field: Field, index: number) => unknown,
): RawLine {
  const found = fields.flatMap((field, index) =>
    field.name === undefined ? [] : [[names[field.name], valueOf(field, index)] as const],
  );
  return { time: undefined, userAgent: undefined, ...Object.fromEntries(found) };
}

/** The value at `a.b.c`, whether the dots are part of keys or stand between them; of an array the first. */
function valueAt(object: JsonObject, path: string): unknown {
  const whole = ownValue(object, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = objectOf(ownValue(object, path.slice(0, dot)));
    const value = inner === undefined ? undefined : valueAt(inner, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

function ownValue(object: JsonObject, key: string): unknown {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

function usage(words: string): CommandError {
  return new CommandError(`--format fields=... ${words}`, { exitCode: 2 });
}
