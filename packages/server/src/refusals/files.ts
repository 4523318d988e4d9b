import { state, usage } from './define.ts';
import { quoteValue } from '../values/quote-value.ts';
import { errnoWords } from '../values/errno.ts';

/** What is wrong at one place of a file. */
export interface FileFault {
  /** Line at which the row begins, from 1. */
  readonly line: number;
  /** Name of the field; undefined if the whole row or file is meant. */
  readonly field?: string | undefined;
  /** What should be there, as the end of "expected ...". */
  readonly expected: string;
  /** What is there; undefined if there is nothing to show. */
  readonly found?: unknown;
}

export interface FileFaults {
  readonly file: string;
  readonly faults: readonly FileFault[];
  /** Names of fields or columns that are not known. */
  readonly unknown: readonly string[];
}

export const fileRefusals = {
  stopped: state(() => ['Stopped.']),
  file_unreadable: state<{ path: string; errno: string }>(({ path, errno }) => [
    `${path} cannot be read: ${errnoWords(errno)}.`,
  ]),
  file_is_folder: state<{ path: string }>(({ path }) => [
    `${path} is a folder.`,
    'Name a file in it.',
  ]),
  file_is_archive: state<{ file: string }>(({ file }) => [
    `${file} is a zip archive or a spreadsheet.`,
    'Unpack it, or save the sheet as "CSV UTF-8".',
  ]),
  file_damaged: state<{ file: string }>(({ file }) => [
    `${file} cannot be unpacked: it is cut off or damaged.`,
  ]),
  file_encoding_wide: state<{ file: string; encoding: string }>(({ file, encoding }) => [
    `${file} is in ${encoding}.`,
    `Save it as UTF-8 (in a spreadsheet: "CSV UTF-8"), or convert it: iconv -f ${encoding} -t UTF-8 FILE.`,
  ]),
  file_not_utf8: state<{ file: string; line: number }>(({ file, line }) => [
    faultLine(file, { line, expected: 'UTF-8, found bytes of another encoding' }),
    '\nSave it as UTF-8, or convert it, from Windows-1252 for example: iconv -f WINDOWS-1252 -t UTF-8 FILE.',
  ]),
  row_too_long: state<{ file: string; line: number; bytesMax: number }>(
    ({ file, line, bytesMax }) => [
      faultLine(file, { line, expected: `a row of at most ${size(bytesMax)}, found a longer one` }),
      '\nIs the file in another format? --format names it: ndjson (one object per line), json or csv.',
    ],
  ),
  json_array_missing: state<{
    file: string;
    line: number;
    array: string | undefined;
    found: string;
  }>(({ file, line, array, found }) => {
    const form = array === undefined ? '' : `, or an object with the one array "${array}"`;
    return [
      faultLine(file, { line, expected: `an array of rows${form}`, found }),
      '\nIf each line is an object of its own, give --format ndjson.',
    ];
  }),
  columns_invalid: state<FileFaults & { isUndivided: boolean }>(({ file, faults, isUndivided }) => [
    faultLines(file, faults),
    isUndivided ? '\nColumns are separated by commas, semicolons or tabs.' : '',
  ]),
  rows_invalid: state<FileFaults & { hidden: number }>(({ file, faults, hidden }) => [
    faultLines(file, faults),
    hidden === 0 ? '' : `\n... and ${hidden} more.`,
  ]),
  described_wrongly: state<{ file: string; line: number; field: string; words: string }>(
    ({ file, line, field, words }) => [
      `${file}:${line}: field ${quoteValue(field)}: ${words}`,
      '\nNothing was changed.',
    ],
  ),
  output_exists: state<{ path: string }>(({ path }) => [
    `${path} exists.`,
    'Replace it with --force.',
  ]),
  output_packed: usage<{ ending: string }>(({ ending }) => [
    `Export cannot write a file that ends with ${ending}.`,
    'Name one that ends with .csv, .ndjson or .json, or pipe the output: overheard export ... | gzip > FILE',
  ]),
  output_not_file: state<{ path: string }>(({ path }) => [
    `${path} is not a file.`,
    'Leave --output out to write to stdout.',
  ]),
  output_unwritable: state<{ path: string | undefined; errno: string }>(
    ({ path = 'The output', errno }) => [`${path} cannot be written: ${errnoWords(errno)}.`],
  ),
  spool_unwritable: state<{ folder: string; errno: string }>(({ folder, errno }) => [
    `Received log lines cannot be stored in ${folder} (${errno}).`,
    'Name a folder with --spool that the user who runs the server may write to.',
  ]),
};

function faultLines(file: string, faults: readonly FileFault[]): string {
  return faults.map((fault) => faultLine(file, fault)).join('\n');
}

/** A fault as `file:line: field "x": expected ..., found ...`. */
function faultLine(file: string, { line, field, expected, found }: FileFault): string {
  const where = field === undefined ? '' : `field ${quoteValue(field)}: `;
  const what = found === undefined ? '' : `, found ${quoteValue(found)}`;
  return `${file}:${line}: ${where}expected ${expected}${what}.`;
}

function size(bytes: number): string {
  return bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${bytes} bytes`;
}
