import type { UnreadableForm } from '../../faults.ts';

/** First bytes of files that are not lines of UTF-8. */
const marks: ReadonlyArray<readonly [hex: string, form: UnreadableForm]> = [
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['04224d18', 'lz4'],
  ['504b0304', 'zip'],
  ['377abcaf271c', '7z'],
  ['50415231', 'parquet'],
  ['fffe', 'UTF-16'],
  ['feff', 'UTF-16'],
];

/** Bytes of a file that show its form. */
export const headBytes = 4096;

/** The form of a file that is not a log, by its first bytes. Undefined if it may be a log. */
export function findUnreadableForm(head: Buffer): UnreadableForm | undefined {
  const hex = head.toString('hex', 0, 8);
  const mark = marks.find(([bytes]) => hex.startsWith(bytes));
  if (mark !== undefined) return mark[1];
  const text = head.toString('latin1', 0, headBytes);
  if (text.slice(257, 262) === 'ustar') return 'tar';
  if (/^(?:[\t-~]\0){8}/.test(text)) return 'UTF-16LE';
  if (/^(?:\0[\t-~]){8}/.test(text)) return 'UTF-16BE';
  return !text.includes('\n') && /\r[^]*\r/.test(text) ? 'carriage_returns' : undefined;
}
