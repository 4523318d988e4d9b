import { printable } from '../../values/printable.ts';
import type { Io } from './io.ts';

/** Prints data as JSON for another program. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints words for a person; a command in them is one that the reader can type. */
export function printWords(io: Io, words: string): void {
  io.stderr.write(`${io.asTyped(words)}\n`);
}

/** Prints a text for a person that is the command's result, with commands that the reader can type. */
export function printText(io: Io, text: string): void {
  io.stdout.write(`${io.asTyped(text)}\n`);
}

/** Rows under their headings. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>;
  /** What to say on stderr if there are no rows. */
  readonly none: string;
}

/** Prints a table in columns, foreign text made printable. */
export function printTable(io: Io, { headings, rows, none }: Table): void {
  if (rows.length === 0) {
    printWords(io, none);
    return;
  }
  const lines = [headings, ...rows].map((row) => row.map((cell) => printable(cell ?? '-')));
  const widths = headings.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, widthOf(cells[column] ?? '')), 0),
  );
  for (const cells of lines) {
    const padded = cells.map((cell, column) => pad(cell, widths[column] ?? 0));
    io.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}

const segmenter = new Intl.Segmenter();
/** Scripts and symbols that terminals draw over two cells. */
const wide = /\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{Emoji_Presentation}/u;

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Cells of a terminal that a text takes. */
function widthOf(text: string): number {
  // Segmenting is slow, and most cells do not need it.
  if (/^[ -~]*$/.test(text)) return text.length;
  return Array.from(segmenter.segment(text)).reduce(
    (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
    0,
  );
}
