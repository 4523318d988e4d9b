import { isAscii } from 'node:buffer';

/** Longer lines are skipped, in bytes. */
const lineBytesMax = 65_536;
/** A line that is an array of JSON objects holds many requests. */
const arrayBytesMax = 1 << 22;
const newline = 0x0a;
/** Bytes that are shown of a line that is too long. */
const beginningBytes = 200;

interface LineListener {
  /** Called with a line, without its line break. */
  onLine(line: string): void;
  /** Called with the beginning of a line that is too long. */
  onLongLine(beginning: string): void;
}

interface LineSplitter {
  push(chunk: Buffer): void;
  /** Gives the last line although it has no newline. */
  finish(): void;
  /** Bytes of a last line that has no newline yet. */
  readonly restBytes: number;
  /** Bytes pushed up to the end of the last whole line. */
  readonly wholeBytes: number;
}

/**
 * Cuts bytes into lines of UTF-8. It holds at most one line of `lineBytesMax`. Lines are slices of
 * their chunk: copy what is kept.
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
      finish();
    }
    while (start < chunk.length) {
      const end = endOfPiece(chunk, start);
      if (end === 0) return keep(chunk.subarray(start));
      give(chunk.subarray(start, end));
      wholeBytes += end - start;
      start = end;
    }
  }

  function finish(): void {
    if (restBytes === 0) return;
    const line = Buffer.concat(rest);
    wholeBytes += restBytes;
    [rest, restBytes] = [[], 0];
    give(line);
  }

  /** Gives whole lines, or one line that is too long. */
  function give(bytes: Buffer): void {
    const length = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
    if (length > bytesMaxOf(bytes)) {
      return onLongLine(bytes.toString('utf8', 0, beginningBytes));
    }
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

  /** Copies, because the caller reuses the chunk. Keeps only the beginning of a line that is too long. */
  function keep(part: Buffer): void {
    if (restBytes <= bytesMaxOf(rest[0] ?? part)) rest.push(Buffer.from(part));
    restBytes += part.length;
  }
}

/** The end of the last line that fits into a piece. If none fits, the end of the first line; 0 if it has none. */
function endOfPiece(chunk: Buffer, start: number): number {
  const last = chunk.lastIndexOf(newline, start + lineBytesMax);
  return last >= start ? last + 1 : chunk.indexOf(newline, start) + 1;
}

function bytesMaxOf(line: Buffer): number {
  const isArray = /^(?:\[\s*\{|\{\s*"[Rr]ecords")/.test(line.toString('latin1', 0, 16));
  return isArray ? arrayBytesMax : lineBytesMax;
}
