import { Refusal } from '../../refusals.ts';
import type { FieldsFault } from '../../faults.ts';
import type { LogFormat } from './format.ts';
import { parseObject, valueAt } from './json-format.ts';
import { decodePercentTwice, splitValues, unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './raw-line.ts';

/** What a column or key may be called, and the field that it is. */
const names = {
  time: 'time',
  date: 'date',
  user_agent: 'userAgent',
  referer: 'referer',
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

const separators: Readonly<Record<string, string>> = {
  tab: '\t',
  comma: ',',
  semicolon: ';',
  bar: '|',
  space: ' ',
};

/**
 * Makes a format of the value of `--format fields=...`. Names with keys read JSON lines
 * (`time:ts,user_agent:http.ua`). Names alone are the columns in order, with `-` for others. Columns
 * are separated by tabs or spaces, where `"..."` and `[...]` are one, or as `;separator=` says.
 * `;encoding=percent` decodes all values but the path. Throws a `Refusal` for fields that cannot make a
 * hit.
 */
export function customFormat(text: string): LogFormat {
  const [columns = '', ...options] = text.split(/;(?=separator=|encoding=)/);
  const { separator, isEncoded } = readOptions(options);
  const fields = columns.split(',').map(readField);
  const has = (...wanted: readonly Name[]) =>
    fields.some(({ name }) => name !== undefined && wanted.includes(name));
  if (!has('time', 'date') || !has('user_agent') || !has('request', 'target')) {
    throw invalid({ fault: 'incomplete' });
  }
  const isKeyed = fields.some(({ key }) => key !== undefined);
  if (isKeyed && fields.some(({ key }) => key === undefined)) {
    throw invalid({ fault: 'partly_keyed' });
  }
  return { name: 'fields', parse };

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const raw = isKeyed ? readKeys(line, fields) : readColumns(line, fields, separator);
    if (raw === undefined) return 'unknown_format';
    const read = isEncoded ? decodeAll(raw) : raw;
    return readRawLine(has('request', 'method') ? read : { ...read, method: 'GET' });
  }
}

function readOptions(options: readonly string[]) {
  let separator: string | undefined;
  let isEncoded = false;
  for (const option of options) {
    const [name, value = ''] = option.split(/=(.*)/s);
    if (name === 'separator' && value !== '') separator = separators[value] ?? value;
    else if (name === 'encoding' && value === 'percent') isEncoded = true;
    else throw invalid({ fault: 'unknown_option', option });
  }
  return { separator, isEncoded };
}

/** Paths are percent-encoded by themselves. */
function decodeAll({ target, query, ...rest }: RawLine): RawLine {
  const decoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    decoded[name] = typeof value === 'string' ? decodePercentTwice(value) : value;
  }
  return { ...decoded, target, query };
}

interface Field {
  readonly name: Name | undefined;
  readonly key: string | undefined;
}

function readField(text: string): Field {
  const [name = '', key] = text.trim().split(/:(.*)/s);
  if (name === '-') return { name: undefined, key };
  if (!isName(name)) throw invalid({ fault: 'unknown_name', name, names: Object.keys(names) });
  return { name, key };
}

function isName(text: string): text is Name {
  return Object.hasOwn(names, text);
}

function readKeys(line: string, fields: readonly Field[]): RawLine | undefined {
  const object = parseObject(line);
  return object && rawLine(fields, ({ key = '' }) => valueAt(object, key));
}

function readColumns(
  line: string,
  fields: readonly Field[],
  separator: string | undefined,
): RawLine | undefined {
  const values =
    separator === undefined && !line.includes('\t')
      ? Array.from(
          line.matchAll(/"((?:[^"\\]|\\.)*)"|\[([^[\]]*)\]|\S+/g),
          ([whole, quoted, bracketed]) =>
            quoted === undefined ? (bracketed ?? whole) : unescapeText(quoted),
        )
      : splitValues(line, separator ?? '\t', fields.length).map((value) => value.trim());
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
  return Object.fromEntries(found);
}

function invalid(facts: FieldsFault): Refusal {
  return new Refusal('log_fields_invalid', facts);
}
