import type { Writable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../problems.ts';
import { findUnstorable, unknownField } from './check-row.ts';
import { peek } from './decompress.ts';
import { faultLine } from './fault.ts';
import { tooLong } from './lines.ts';
import type { FormatOptions, Row } from './row.ts';

interface CsvOptions extends FormatOptions {
  readonly name: string;
}

/** One record of cells, and the line at which it begins. */
interface Record_ {
  readonly line: number;
  readonly cells: readonly string[];
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
  let header: readonly string[] | undefined;
  let number = 0;
  for await (const records of readRecords(chunks, options)) {
    const rows: Row[] = [];
    for (const record of records) {
      if (record.cells.every((cell) => cell.trim() === '')) continue;
      if (header === undefined) {
        header = readHeader(record, options);
        continue;
      }
      number += 1;
      const row = readRow(record, number, header, options);
      if (row !== undefined) rows.push(row);
    }
    yield rows;
  }
}

/** The names of the columns. Throws a `CommandError` that lists the unknown and repeated ones. */
function readHeader({ line, cells }: Record_, { name, fields }: CsvOptions): string[] {
  const header = cells.map((cell) => cell.trim());
  const problems = header.flatMap((field, index) => {
    if (field === '') return [{ line, expected: `a name for column ${index + 1}` }];
    if (header.indexOf(field) < index)
      return [{ line, field, expected: 'one column of this name' }];
    const fault = fields === undefined ? undefined : unknownField(field, fields);
    return fault === undefined ? [] : [{ line, ...fault }];
  });
  if (problems.length === 0) return header;
  throw new CommandError(problems.map((problem) => faultLine(name, problem)).join('\n'));
}

function readRow(
  { line, cells }: Record_,
  number: number,
  header: readonly string[],
  { faults }: CsvOptions,
): Row | undefined {
  if (cells.length !== header.length) {
    const expected = `${header.length} cells as in the header, found ${cells.length} (a text that holds the separator, a quote or a line break is put in double quotes)`;
    faults.add({ line, expected });
    return undefined;
  }
  const given = header
    .map((field, index) => [field, cells[index] ?? ''] as const)
    .filter(([, cell]) => cell !== '');
  for (const [field, cell] of given) {
    const fault = findUnstorable(cell, field);
    if (fault === undefined) continue;
    faults.add({ line, ...fault });
    return undefined;
  }
  return { number, line, isText: true, value: Object.fromEntries(given) };
}

/** The records that end in a chunk, chunk by chunk. */
async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  { name, fields, rowBytesMax }: CsvOptions,
): AsyncGenerator<Record_[]> {
  const { head, all } = await peek(chunks, headerBytesMax);
  let records: Record_[] = [];
  let line = 1;
  const parser = parse({
    delimiter: sniffDelimiter(head.toString('utf8'), fields),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: rowBytesMax,
    // Taken here and not from the stream, which would drop the records before a faulty one.
    on_record: (cells: readonly string[]) => {
      records.push({ line, cells });
      // The parser's own count takes a line break of two characters within quotes for two.
      for (const cell of cells) line += countBreaks(cell);
      line += 1;
      return null;
    },
  });
  try {
    for await (const chunk of all) {
      await written(parser, (done) => parser.write(chunk, done));
      yield records;
      records = [];
    }
    await written(parser, (done) => parser.end(done));
    yield records;
  } catch (error) {
    throw error instanceof CsvError ? csvRefusal(error, { name, line, rowBytesMax }) : error;
  } finally {
    parser.destroy();
  }
}

/** Waits until the parser has taken what `write` gives it, or has failed. */
async function written(
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
): CommandError {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(name, line, rowBytesMax);
  const expected =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a closing double quote: the one that opens in this row is never closed'
      : 'double quotes only around whole cells; one within such a cell is written twice';
  return new CommandError(faultLine(name, { line, expected }), { cause: error });
}

function countBreaks(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** The separator with which the header names the most known columns, or the most columns. */
function sniffDelimiter(text: string, fields: readonly string[] | undefined): string {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? '';
  let best = { delimiter: ',', known: 0, count: 0 };
  for (const delimiter of [',', ';', '\t']) {
    const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    const known = names.filter((name) => fields?.includes(name)).length;
    const isBetter = known > best.known || (known === best.known && names.length > best.count);
    if (isBetter) best = { delimiter, known, count: names.length };
  }
  return best.delimiter;
}
