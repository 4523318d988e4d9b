import type { Format } from '../rows/format.ts';
import type { Cells, Scalar } from '../storage/cells.ts';

/** How rows become text: what stands before them, between them and after them, and each itself. */
export interface RowFormat {
  readonly start: string;
  readonly separator: string;
  readonly end: string;
  readonly row: (cells: Cells) => string;
}

/** The text of rows with these fields, in their order. `array` names them in JSON, as in the API. */
export function rowFormat(
  format: Format,
  { fields, array }: { fields: readonly string[]; array: string },
): RowFormat {
  const json = (cells: Cells): string =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, cells[field] ?? null])));
  const formats: Readonly<Record<Format, RowFormat>> = {
    ndjson: { start: '', separator: '', end: '', row: (cells) => `${json(cells)}\n` },
    json: { start: `{${JSON.stringify(array)}:[\n`, separator: ',\n', end: '\n]}\n', row: json },
    csv: { start: csvLine(fields), separator: '', end: '', row: csvRow },
  };
  return formats[format];

  function csvRow(cells: Cells): string {
    return csvLine(fields.map((field) => cells[field] ?? null));
  }
}

/** RFC 4180, with line feeds. Text that a spreadsheet would run is left as it is: it is data. */
function csvLine(values: readonly Scalar[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: Scalar): string {
  const text = value === null ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
