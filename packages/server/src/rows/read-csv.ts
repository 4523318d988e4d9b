import type { Writable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { findUnstorable, unknownField } from './check-row.ts';
import { peek } from './decompress.ts';
import { rowsInvalid, unknownNames } from './fault.ts';
import { tooLong } from './row.ts';
import type { FormatOptions, Row } from './row.ts';
import { Refusal } from '../refusals.ts';
import type { Fault } from './fault.ts';

interface CsvOptions extends FormatOptions {
  readonly name: string;
}

const headerBytesMax = 64 * 1024;

/**
 * CSV with a header, separated by commas, semicolons or tabs. Empty lines are skipped, as are rows
 * of blank cells, which spreadsheets leave behind. Every value is text; an empty cell is left out.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<Row[]> {
  const { head, all } = await peek(chunks, headerBytesMax);
  const { delimiter, isDeclared } = findCsvSeparator(head.toString('utf8'), options);
  let isDeclarationNext = isDeclared;
  let header: readonly string[] | undefined;
  let number = 0;
  for await (const records of readRecords(all, delimiter, options)) {
    const rows: Row[] = [];
    for (const record of records) {
      if (record.cells.every((cell) => cell.trim() === '')) continue;
      if (isDeclarationNext) {
        isDeclarationNext = false;
        continue;
      }
      if (header === undefined) {
        header = readHeader(record, options);
        continue;
      }
      number += 1;
      const value = readCells(record, { header, delimiter, ...options });
      const { line } = record;
      const hasDecimalComma = delimiter !== ',';
      if (value !== undefined) rows.push({ number, line, isText: true, hasDecimalComma, value });
    }
    yield rows;
  }
}

/** The cells of a row by their columns, without the empty ones. */
function readCells(
  { line, cells }: CsvRecord,
  { header, delimiter, faults }: Format & Pick<CsvOptions, 'faults'>,
): Row['value'] | undefined {
  if (cells.length !== header.length) {
    faults.add({ line, expected: countExpected(cells.length, { header, delimiter }) });
    return undefined;
  }
  const filled: Array<readonly [field: string, cell: string]> = [];
  for (const [index, field] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || (field === '' && cell.trim() === '')) continue;
    const fault =
      field === ''
        ? {
            expected: `nothing in column ${index + 1}, which the header does not name`,
            found: cell,
          }
        : findUnstorable(cell, field);
    if (fault !== undefined) {
      faults.add({ line, ...fault });
      return undefined;
    }
    filled.push([field, cell]);
  }
  return Object.fromEntries(filled);
}

/** The format of rows, as the header shows it. */
interface Format {
  readonly header: readonly string[];
  readonly delimiter: string;
}

function countExpected(count: number, { header, delimiter }: Format): string {
  const isMore = count > header.length;
  const advice = [
    'a text that holds the separator, a quote or a line break is put in double quotes',
    ...(isMore && delimiter === ',' ? ['a number has a decimal point and no comma'] : []),
    ...(isMore ? ['where rows end in a separator, so does the header'] : []),
  ];
  return `${header.length} cells as in the header, found ${count} (${advice.join('; ')})`;
}

/** Yields the records that end in each chunk. */
async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  { name, rowBytesMax }: CsvOptions,
): AsyncGenerator<CsvRecord[]> {
  let records: CsvRecord[] = [];
  let line = 1;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: rowBytesMax,
    // Collect records here, because the stream would drop the records before a faulty one.
    on_record: (cells: readonly string[]) => {
      records.push({ line, cells });
      // Count lines here, because the parser counts a CRLF within quotes as two lines.
      for (const cell of cells) line += countBreaks(cell);
      line += 1;
      return null;
    },
  });
  try {
    for await (const chunk of chunks) {
      await writeToParser(parser, (done) => parser.write(chunk, done));
      yield records;
      records = [];
    }
    await writeToParser(parser, (done) => parser.end(done));
    yield records;
  } catch (error) {
    throw error instanceof CsvError ? csvRefusal(error, { name, line, rowBytesMax }) : error;
  } finally {
    parser.destroy();
  }
}

/** Waits until the parser has accepted the data of `write`, or has failed. */
async function writeToParser(
  parser: Writable,
  write: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parser.once('error', reject);
    write((error) => {
      if (error) return reject(error);
      parser.off('error', reject);
      resolve();
    });
  });
}

function csvRefusal(
  error: CsvError,
  { name, line, rowBytesMax }: { name: string; line: number; rowBytesMax: number },
): Refusal {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(name, line, rowBytesMax);
  const expected =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a closing double quote: the one that opens in this row is never closed'
      : 'double quotes only around whole cells; one within such a cell is written twice';
  return rowsInvalid(name, { line, expected }, { cause: error });
}

function countBreaks(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** How the cells of a file are separated. */
interface Separator {
  readonly delimiter: string;
  /** Whether the first row declares it, as `sep=;` does. That row is then not the header. */
  readonly isDeclared: boolean;
}

const delimiters = [',', ';', '\t'] as const;

/** The declaration that spreadsheets write and read before the header. */
const declaration = /^"?sep=(?<delimiter>.*?)"?$/i;

/**
 * Finds the separator from the beginning of a CSV text: the declared one, or else the one that
 * gives the header the most known columns, or the most columns. Throws a `Refusal` for a declared
 * one that is unknown.
 */
function findCsvSeparator(
  head: string,
  { name, fields }: { name: string; fields: readonly string[] | undefined },
): Separator {
  // Skip rows of empty cells before the header.
  const first = /^[^\r\n]*[^\s,;"][^\r\n]*/m.exec(head);
  const header = first?.[0] ?? '';
  const declared = declaration.exec(header)?.groups?.['delimiter'];
  if (declared === undefined)
    return { delimiter: sniffDelimiter(header, fields), isDeclared: false };
  const delimiter = delimiters.find((each) => each === declared);
  if (delimiter !== undefined) return { delimiter, isDeclared: true };
  const line = head.slice(0, first?.index).split(/\r\n|\n|\r/).length;
  const expected = 'sep= with a comma, a semicolon or a tab after it';
  throw rowsInvalid(name, { line, expected, found: header });
}

function sniffDelimiter(header: string, fields: readonly string[] | undefined): string {
  let best: { delimiter: string; knownCount: number; count: number } | undefined;
  for (const delimiter of delimiters) {
    const cells = header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const knownCount = cells.filter((cell) => fields?.includes(columnName(cell, fields))).length;
    const { knownCount: knownMost, count: countMost } = best ?? { knownCount: 0, count: 0 };
    const isBetter =
      knownCount > knownMost || (knownCount === knownMost && cells.length > countMost);
    if (isBetter) best = { delimiter, knownCount, count: cells.length };
  }
  return best?.delimiter ?? ',';
}

/** One record of cells, and the line at which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the names of the columns in their order. A column without a name has '', for example after
 * a separator at the end of the line. Throws a `Refusal` that lists unknown and repeated names.
 */
export function readHeader(
  { line, cells }: CsvRecord,
  { name, fields }: { name: string; fields: readonly string[] | undefined },
): string[] {
  const header = cells.map((cell) => columnName(cell, fields));
  const problems = header.flatMap((field, index): Fault[] => {
    if (field === '') return [];
    if (header.indexOf(field) < index)
      return [{ line, field, expected: 'one column of this name' }];
    const fault = fields === undefined ? undefined : unknownField(field, fields);
    return fault === undefined ? [] : [{ line, ...fault }];
  });
  if (problems.length === 0) return header;
  const isUndivided = header.length === 1 && /[^\w\s]/.test(header[0] ?? '');
  throw new Refusal('columns_invalid', {
    file: name,
    faults: problems,
    unknown: unknownNames(problems),
    isUndivided,
  });
}

/** The intended name of a column: people write `Date`, or ` date` after a separator. */
export function columnName(cell: string, fields: readonly string[] | undefined): string {
  const name = cell.trim();
  const folded = name.toLowerCase();
  return fields?.find((field) => field === folded) ?? name;
}
