import type { Cells } from '../../storage/cells.ts';
import { rowFormat } from '../../transfer/format-rows.ts';
import { printableLines } from '../../values/printable.ts';
import type { Lines } from '../../values/printable.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printText, printWords, wrap } from '../terminal/print.ts';
import type { Table } from '../terminal/print.ts';
import { CommandError } from '../terminal/command-error.ts';

/** Rows and the fields that they all have. */
export interface CsvRows {
  readonly fields: readonly string[];
  readonly rows: readonly Cells[];
}

/** The result of a command. */
export interface Output {
  /** The output of `--json`, instead of tables and text. Its keys become snake case. */
  readonly json?: object;
  /** Printed before the tables. */
  readonly lead?: string | false;
  readonly table?: Table;
  /** Tables that follow each other, with an empty line between. */
  readonly tables?: readonly Table[];
  /** The output of `--csv`, instead of the tables. */
  readonly csv?: CsvRows;
  /** The result for a person, on stdout. */
  readonly text?: string | Lines;
  /** The result as foreign text, in which commands are left as they are. */
  readonly verbatim?: Lines;
  /** Words for a person, on stderr. */
  readonly words?: string | Lines;
  /** Why the command fails with exit code 1 although it did its work. */
  readonly failure?: string | undefined;
}

/** Prints the outcome of a command. Throws a `CommandError` for its failure. */
export function printOutput(
  io: Io,
  { json, lead = false, table, tables = [], csv, text, verbatim, words, failure }: Output,
  { isJson, isCsv }: { isJson: boolean; isCsv: boolean },
): void {
  if (isJson && json !== undefined) {
    printJson(io, snakeCase(json));
  } else if (isCsv && csv !== undefined) {
    const { start, row } = rowFormat('csv', { fields: csv.fields, array: '' });
    io.stdout.write(start + csv.rows.map(row).join(''));
  } else {
    if (lead !== false) {
      const lines = lead.split('\n').flatMap((line) => wrap(line, io.columns ?? Infinity));
      printText(io, `${lines.join('\n')}\n`);
    }
    const shown = (table === undefined ? tables : [table]).filter(
      ({ rows, none }) => rows.length > 0 || none !== '',
    );
    for (const [place, each] of shown.entries()) {
      if (place > 0) io.stdout.write('\n');
      printTable(io, each);
    }
    const result = linesOf(text);
    if (result !== '') printText(io, result);
    if (verbatim !== undefined) io.stdout.write(`${linesOf(verbatim)}\n`);
  }
  const spoken = linesOf(words);
  if (spoken !== '') printWords(io, spoken);
  if (failure !== undefined) throw new CommandError(failure);
}

function linesOf(output: string | Lines = ''): string {
  return typeof output === 'string' ? output : printableLines(output);
}

/** Changes keys such as `withoutAddress` to `without_address`. Leaves other keys as they are. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, of]) => [
      /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(key)
        ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        : key,
      snakeCase(of),
    ]),
  );
}
