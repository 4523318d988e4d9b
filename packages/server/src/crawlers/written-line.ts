import { isAscii } from 'node:buffer';

/**
 * A line as the part of a text that it stands in. It is cut out where more than a look is needed. V8
 * searches a text and makes strings of its parts quickly, but looks at single characters several times
 * as quickly in the bytes.
 */
export interface WrittenLine {
  /** Latin-1: one character a byte. */
  readonly text: string;
  /** The bytes of the text, until the next line is read: what they stand in is filled again. */
  readonly bytes: DataView;
  readonly start: number;
  /** Past its last character; its newline, and the carriage return before that, are not part of it. */
  readonly end: number;
  /**
   * Whether it is ASCII, without escapes (`\`), carriage returns and NUL. What such a line is made of
   * needs no decoding, and a quote ends what a quote began.
   */
  readonly isPlain: boolean;
}

/** The whole of a text as a line. */
export function writtenLine(text: string): WrittenLine {
  const bytes = viewOf(Buffer.from(text, 'latin1'));
  return { text, bytes, start: 0, end: text.length, isPlain: isPlain(text) };
}

/** The bytes in a form in which four of them are one number too. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The line by itself. */
export function cutOut({ text, start, end }: WrittenLine): string {
  return text.slice(start, end);
}

/** A part by itself: what is kept of a chunk of a log otherwise keeps the whole chunk in memory. */
export function copyOf({
  bytes,
  start,
  end,
}: Pick<WrittenLine, 'bytes' | 'start' | 'end'>): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

const odd = /[\0\r\\\x80-\xff]/;

/** Whether a line is plain. */
export function isPlain(line: string): boolean {
  return !odd.test(line);
}

/** Whether all lines of some bytes are plain; `text` is the same as Latin-1. Much faster than line by line. */
export function arePlain(bytes: Buffer, text: string): boolean {
  return isAscii(bytes) && !text.includes('\\') && !text.includes('\r') && !text.includes('\0');
}
