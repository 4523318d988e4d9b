import type { Format } from '../rows/format.ts';
import type { Scalar } from '../storage/cells.ts';

/** A cell of a file. In CSV a list is written as JSON. */
type FileCell = Scalar | readonly object[] | readonly string[];

/** Cells of a row that is written. */
export type FileCells = Readonly<Record<string, FileCell>>;

/** How rows become text: the texts before, between and after rows, and the text of each row. */
export interface RowFormat {
  readonly start: string;
  readonly separator: string;
  readonly end: string;
  readonly row: (cells: FileCells) => string;
}

/**
 * Makes the format of rows with these fields, in their order. `array` names them in JSON, as in the
 * API. With `isForSpreadsheets`, CSV has an apostrophe before text that a spreadsheet would run as
 * a formula.
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
    return csvLine(isForSpreadsheets ? values.map(escapeFormula) : values);
  }
}

/**
 * A line of CSV by RFC 4180, with line feeds. Text that looks like a formula is left as it is,
 * because it is data.
 */
function csvLine(values: readonly FileCell[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

/**
 * Puts an apostrophe before formulas. Spreadsheets also run those with full-width signs.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function escapeFormula(value: FileCell): FileCell {
  return typeof value === 'string' && /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value)
    ? `'${value}`
    : value;
}

function csvCell(value: FileCell): string {
  const text = typeof value === 'object' ? listText(value) : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function listText(value: readonly object[] | readonly string[] | null): string {
  return value === null ? '' : JSON.stringify(value);
}
