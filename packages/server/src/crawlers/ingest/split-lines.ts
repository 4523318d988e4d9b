import { arePlain, isPlain, viewOf, writtenLine } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';

/** Lines up to this length, in bytes, are read; longer ones are skipped, whatever their length. */
const lineBytesMax = 65_536;

/** What becomes one string: small ones die young. No line of one is too long. */
const chunkBytes = lineBytesMax;

/** Told of the lines of a stream of bytes. */
interface LineListener {
  onLine(line: WrittenLine): void;
  /** A line that was too long, by its beginning. */
  onLongLine(beginning: string): void;
}

const carriageReturn = 0x0d;

interface LineSplitter {
  push(chunk: Buffer): void;
  /** A last line that has no newline yet; undefined where there is none, or it is too long. */
  readonly rest: string | undefined;
  /** The length of what has been pushed up to the end of the last whole line, in bytes. */
  readonly wholeBytes: number;
  /** Gives the last line although it has no newline. */
  finish(): void;
}

/**
 * Cuts bytes into lines. Holds at most one line of `lineBytesMax`, whatever comes. Bytes become text at
 * once, chunk by chunk, and lines are parts of it: searching a string is several times faster in V8 than
 * searching a buffer, which leaves JavaScript at every call.
 */
export function createLineSplitter({ onLine, onLongLine }: LineListener): LineSplitter {
  let rest: string | undefined;
  let isTooLong = false;
  let pushedBytes = 0;
  let wholeBytes = 0;
  return {
    push,
    finish,
    get rest() {
      return isTooLong ? undefined : rest;
    },
    get wholeBytes() {
      return wholeBytes;
    },
  };

  function push(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      pushChunk(bytes.subarray(start, start + chunkBytes));
    }
  }

  function pushChunk(chunk: Buffer): void {
    const text = chunk.toString('latin1');
    // Most chunks are plain as a whole, and their lines need no look of their own.
    const isChunkPlain = arePlain(chunk, text);
    const bytes = viewOf(chunk);
    const before = pushedBytes;
    pushedBytes += text.length;
    let start = 0;
    let end = text.indexOf('\n');
    if (rest !== undefined && end !== -1) {
      endRest(text.slice(0, end));
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    while (end !== -1) {
      if (isChunkPlain) onLine({ text, bytes, start, end, isPlain: true });
      else onLine(oddLine(text, bytes, start, end));
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    if (start > 0) wholeBytes = before + start;
    if (start < text.length) keep(text.slice(start));
  }

  /** The line that the last chunk began ends here. */
  function endRest(ending: string): void {
    const beginning = rest ?? '';
    const wasTooLong = isTooLong;
    rest = undefined;
    isTooLong = false;
    const line = beginning + ending;
    if (wasTooLong || line.length > lineBytesMax) onLongLine(line.slice(0, 200));
    else onLine(writtenLine(line.slice(0, endOf(line, line.length))));
  }

  function keep(part: string): void {
    if (isTooLong) return;
    const line = (rest ?? '') + part;
    isTooLong = line.length > lineBytesMax;
    rest = isTooLong ? line.slice(0, 200) : line;
  }

  function finish(): void {
    if (rest === undefined) return;
    endRest('');
    wholeBytes = pushedBytes;
  }
}

/** A line of a chunk that is not plain as a whole. */
function oddLine(text: string, bytes: DataView, start: number, newline: number): WrittenLine {
  const end = endOf(text, newline);
  return { text, bytes, start, end, isPlain: isPlain(text.slice(start, end)) };
}

/** Where a line ends: a carriage return before its newline is not part of it. */
function endOf(text: string, newline: number): number {
  return text.charCodeAt(newline - 1) === carriageReturn ? newline - 1 : newline;
}
