import { isAscii } from 'node:buffer';

/** Lines up to this length, in bytes, are read; longer ones are skipped, whatever their length. */
const lineBytesMax = 65_536;
/** A line that is an array of JSON objects holds many requests. */
const arrayBytesMax = 1 << 22;
const newline = 0x0a;
/** What is shown of a line that is too long. */
const beginningBytes = 200;

/** Told of the lines of a stream of bytes. */
interface LineListener {
  /** A line without its newline, and without the carriage return before that. */
  onLine(line: string): void;
  /** A line that was too long, by its beginning. */
  onLongLine(beginning: string): void;
}

interface LineSplitter {
  push(chunk: Buffer): void;
  /** Bytes of a last line that has no newline yet. */
  readonly restBytes: number;
  /** Bytes pushed up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** Gives the last line although it has no newline. */
  finish(): void;
}

/**
 * Cuts bytes into lines of UTF-8. Holds at most one line of `lineBytesMax`, whatever comes. Many lines
 * become one string, of which each line is a slice: keep a copy of a line, not the slice.
 */
export function createLineSplitter({ onLine, onLongLine }: LineListener): LineSplitter {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let wholeBytes = 0;
  return {
    push,
    finish,
    get restBytes() {
      return restBytes;
    },
    get wholeBytes() {
      return wholeBytes;
    },
  };

  function push(chunk: Buffer): void {
    let start = 0;
    if (restBytes > 0) {
      start = chunk.indexOf(newline) + 1;
      if (start === 0) return keep(chunk);
      keep(chunk.subarray(0, start));
      endRest();
    }
    while (start < chunk.length) {
      const end = endOfPiece(chunk, start);
      if (end === 0) return keep(chunk.subarray(start));
      give(chunk.subarray(start, end));
      wholeBytes += end - start;
      start = end;
    }
  }

  /** The line that earlier chunks began. */
  function endRest(): void {
    const line = Buffer.concat(rest);
    rest = [];
    wholeBytes += restBytes;
    restBytes = 0;
    give(line);
  }

  /** Gives lines of usual length, or one that is too long. */
  function give(bytes: Buffer): void {
    const length = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
    if (length > bytesMaxOf(bytes)) onLongLine(bytes.toString('utf8', 0, beginningBytes));
    else giveLines(bytes);
  }

  function giveLines(bytes: Buffer): void {
    const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
    let start = 0;
    while (start < text.length) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      const isReturned = text.charCodeAt(end - 1) === 13 && end > start;
      onLine(text.slice(start, isReturned ? end - 1 : end));
      start = end + 1;
    }
  }

  /** Copies: the chunk is filled again. Of a line that is too long the beginning is enough. */
  function keep(part: Buffer): void {
    if (restBytes <= bytesMaxOf(rest[0] ?? part)) rest.push(Buffer.from(part));
    restBytes += part.length;
  }

  function finish(): void {
    if (restBytes > 0) endRest();
  }
}

/** Past the last newline that makes a piece of usual size, or past the first; 0 if there is none. */
function endOfPiece(chunk: Buffer, start: number): number {
  const last = chunk.lastIndexOf(newline, start + lineBytesMax);
  return last >= start ? last + 1 : chunk.indexOf(newline, start) + 1;
}

function bytesMaxOf(line: Buffer): number {
  const isArray = /^(?:\[\s*\{|\{\s*"[Rr]ecords")/.test(line.toString('latin1', 0, 16));
  return isArray ? arrayBytesMax : lineBytesMax;
}
