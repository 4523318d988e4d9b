import { Refusal } from '../../refusals.ts';
import type { FieldsFault } from '../../refusals/crawlers.ts';
import { requestFields } from './field-names.ts';
import type { RequestField, RawLine } from './field-names.ts';
import type { LogFormat } from './format.ts';
import { parseObject, valueAt } from './json-format.ts';
import { decodePercentTwice, splitValues, unescapeText } from './quoted.ts';
import { decodeFields, readRawLine } from './raw-line.ts';

/** The fields by what a column or key may be called: `user_agent`. */
const fieldsByName = new Map(
  requestFields.map((field) => [
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    field,
  ]),
);

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
  const [list = '', ...options] = text.split(/;(?=separator=|encoding=)/);
  const { separator, isEncoded } = readOptions(options);
  const columns = list.split(',').map(readColumn);
  const has = (...wanted: readonly RequestField[]) =>
    columns.some(({ field }) => field !== undefined && wanted.includes(field));
  if (!has('time', 'date') || !has('userAgent') || !has('request', 'target')) {
    throw invalid({ fault: 'incomplete' });
  }
  const keys = columns.flatMap(({ key }) => key ?? []);
  const isKeyed = keys.length > 0;
  if (isKeyed && keys.length < columns.length) throw invalid({ fault: 'partly_keyed' });
  return (line) => {
    const values = isKeyed ? readKeys(line, keys) : splitColumns(line, separator, columns.length);
    if (values === undefined || values.length < columns.length) return 'unknown_format';
    const raw: RawLine = Object.fromEntries(
      columns.flatMap(({ field }, place) =>
        field === undefined ? [] : [[field, values[place]] as const],
      ),
    );
    const read = isEncoded ? decodeFields(raw, decodePercentTwice) : raw;
    return readRawLine(has('request', 'method') ? read : { ...read, method: 'GET' });
  };
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

/** The field of a column or a key, none for `-`. */
function readColumn(text: string): { field: RequestField | undefined; key: string | undefined } {
  const [name = '', key] = text.trim().split(/:(.*)/s);
  const field = fieldsByName.get(name);
  if (field !== undefined || name === '-') return { field, key };
  throw invalid({ fault: 'unknown_name', name, names: [...fieldsByName.keys()] });
}

function readKeys(line: string, keys: readonly string[]): readonly unknown[] | undefined {
  const object = parseObject(line);
  return object && keys.map((key) => valueAt(object, key));
}

function splitColumns(
  line: string,
  separator: string | undefined,
  columnsMax: number,
): readonly string[] {
  if (separator !== undefined || line.includes('\t')) {
    return splitValues(line, separator ?? '\t', columnsMax).map((value) => value.trim());
  }
  return Array.from(
    line.matchAll(/"((?:[^"\\]|\\.)*)"|\[([^[\]]*)\]|\S+/g),
    ([whole, quoted, bracketed]) =>
      quoted === undefined ? (bracketed ?? whole) : unescapeText(quoted),
  );
}

function invalid(facts: FieldsFault): Refusal {
  return new Refusal('log_fields_invalid', facts);
}
