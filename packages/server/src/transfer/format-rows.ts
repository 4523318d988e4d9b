import type { Format } from '../rows/format.ts';
import type { Scalar } from '../storage/cells.ts';

/** A cell of a file: in CSV a list is its JSON text. */
type FileCell = Scalar | readonly object[];

/** Cells of a row that is written. */
export type FileCells = Readonly<Record<string, FileCell>>;

/** How rows become text: what comes before, between and after them, and each row itself. */
export interface RowFormat {
  readonly start: string;
  readonly separator: string;
  readonly end: string;
  readonly row: (cells: FileCells) => string;
}

/**
 * The text of rows with these fields, in their order. `array` names them in JSON, as in the API. With
 * `isForSpreadsheets` CSV has an apostrophe before text that a spreadsheet would run.
 */
export function rowFormat(
  format: Format,
  {
    fields,
    array,
    isForSpreadsheets = false,
  }: { fields: readonly string[]; array: string; isForSpreadsheets?: boolean | undefined },
): RowFormat {
  const json = (cells: FileCells): string =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, cells[field] ?? null])));
  const formats: Readonly<Record<Format, RowFormat>> = {
    ndjson: { start: '', separator: '', end: '', row: (cells) => `${json(cells)}\n` },
    json: { start: `{${JSON.stringify(array)}:[\n`, separator: ',\n', end: '\n]}\n', row: json },
    csv: { start: csvLine(fields), separator: '', end: '', row: csvRow },
  };
  return formats[format];

  function csvRow(cells: FileCells): string {
    const values = fields.map((field) => cells[field] ?? null);
    return csvLine(isForSpreadsheets ? values.map(harmless) : values);
  }
}

/** RFC 4180, with line feeds. Text that a spreadsheet would run is left as it is: it is data. */
function csvLine(values: readonly FileCell[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

/** Spreadsheets run full-width signs, too. https://owasp.org/www-community/attacks/CSV_Injection */
function harmless(value: FileCell): FileCell {
  return typeof value === 'string' && /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value)
    ? `'${value}`
    : value;
}

function csvCell(value: FileCell): string {
  const text = typeof value === 'object' ? listText(value) : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function listText(value: readonly object[] | null): string {
  return value === null ? '' : JSON.stringify(value);
}
