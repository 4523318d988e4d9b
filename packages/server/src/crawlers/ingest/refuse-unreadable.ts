import { Refusal } from '../../refusals.ts';
import type { UnreadableForm } from '../../refusals/crawlers.ts';

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

/** Throws a `Refusal` if the first bytes of a file show that it is not a log. */
export function refuseUnreadable(head: Buffer): void {
  const form = findForm(head);
  if (form !== undefined) throw new Refusal('log_unreadable', { form });
}

function findForm(head: Buffer): UnreadableForm | undefined {
  const hex = head.toString('hex', 0, 8);
  const mark = marks.find(([bytes]) => hex.startsWith(bytes));
  if (mark !== undefined) return mark[1];
  const text = head.toString('latin1', 0, headBytes);
  if (text.slice(257, 262) === 'ustar') return 'tar';
  if (/^(?:[\t-~]\0){8}/.test(text)) return 'UTF-16LE';
  if (/^(?:\0[\t-~]){8}/.test(text)) return 'UTF-16BE';
  return !text.includes('\n') && /\r[^]*\r/.test(text) ? 'carriage_returns' : undefined;
}
