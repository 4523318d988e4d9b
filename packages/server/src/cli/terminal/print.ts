import { printable } from '../../values/printable.ts';
import type { Io } from './io.ts';

/** Prints data as JSON for another program. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints words for a person, with commands that the reader can type. */
export function printWords(io: Pick<Io, 'stderr' | 'asTyped'>, words: string): void {
  io.stderr.write(`${io.asTyped(words)}\n`);
}

/** Prints a text for a person that is the command's result, with commands that the reader can type. */
export function printText(io: Io, text: string): void {
  io.stdout.write(`${io.asTyped(text)}\n`);
}

/** Rows under their headings. */
export interface Table {
  /** A line above the table, if there are several tables. */
  readonly title?: string;
  readonly headings: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>;
  /** The message if there are no rows, on stderr or below the title; empty for none. */
  readonly none: string;
}

/** Prints a table in columns, foreign text made printable. On a terminal, long cells are wrapped to its width. */
export function printTable(io: Io, { title, headings, rows, none }: Table): void {
  if (title !== undefined) printText(io, printable(title));
  if (rows.length === 0) {
    if (title !== undefined) printText(io, none);
    else if (none !== '') printWords(io, none);
    return;
  }
  const lines = [headings, ...rows].map((row) => row.map((cell) => printable(cell ?? '-')));
  const widths = widthsWithin(lines, io.columns ?? Number.POSITIVE_INFINITY);
  for (const cells of lines) {
    const wrapped = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
    const height = wrapped.reduce((most, parts) => Math.max(most, parts.length), 1);
    for (let line = 0; line < height; line++) {
      const padded = wrapped.map((parts, column) => pad(parts[line] ?? '', widths[column] ?? 0));
      io.stdout.write(`${padded.join('  ').trimEnd()}\n`);
    }
  }
}

/** The widths of columns. The widest are narrowed until the lines fit, at most to their longest word. */
function widthsWithin(lines: ReadonlyArray<readonly string[]>, lineMax: number): number[] {
  const most = (column: number, width: (cell: string) => number): number =>
    lines.reduce((max, cells) => Math.max(max, width(cells[column] ?? '')), 0);
  const columns = [...(lines[0] ?? []).keys()];
  const widths = columns.map((column) => most(column, widthOf));
  let surplus = widths.reduce((sum, width) => sum + width + 2, -2) - lineMax;
  if (surplus <= 0) return widths;
  const least = columns.map((column) => most(column, longestWord));
  for (; surplus > 0; surplus--) {
    const widest = columns
      .filter((column) => (widths[column] ?? 0) > (least[column] ?? 0))
      .toSorted((left, right) => (widths[right] ?? 0) - (widths[left] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function longestWord(cell: string): number {
  return cell.split(' ').reduce((max, each) => Math.max(max, widthOf(each)), 0);
}

/** Wraps a text at spaces to lines of a width. */
export function wrap(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const each of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(each) > width) {
      lines.push(line);
      line = each;
    } else {
      line = line === '' ? each : `${line} ${each}`;
    }
  }
  return [...lines, line];
}

const segmenter = new Intl.Segmenter();
/** Scripts and symbols that terminals draw two cells wide. */
const wide = /\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{Emoji_Presentation}/u;

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** The width of a text in cells of a terminal. */
function widthOf(text: string): number {
  // Skip the slow segmentation for ASCII, which most texts are.
  if (/^[ -~]*$/.test(text)) return text.length;
  return Array.from(segmenter.segment(text)).reduce(
    (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
    0,
  );
}
