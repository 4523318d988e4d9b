import { isAscii } from 'node:buffer';

/** Longer lines are skipped, in bytes. */
const lineBytesMax = 65_536;
/** A line that is an array of JSON objects holds many requests. */
const arrayBytesMax = 1 << 22;
const newline = 0x0a;
/** Bytes that are shown of a line that is too long. */
const beginningBytes = 1024;

/**
 * Cuts bytes into lines of UTF-8, without their line breaks. It holds at most one line of `lineBytesMax`.
 * Lines are slices of their chunk: copy what is kept.
 */
export function createLineSplitter({
  onLine,
  onLongLine,
}: {
  onLine: (line: string) => void;
  /** Called with the beginning of a line that is too long. */
  onLongLine: (beginning: string) => void;
}) {
  let incomplete: Buffer[] = [];
  let restBytes = 0;
  let wholeBytes = 0;
  return {
    push,
    finish,
    /** Bytes of a last line that has no newline yet. */
    get restBytes() {
      return restBytes;
    },
    /** Bytes pushed up to the end of the last whole line. */
    get wholeBytes() {
      return wholeBytes;
    },
  };

  function push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) return keep(chunk);
    const start = restBytes === 0 ? 0 : chunk.indexOf(newline) + 1;
    if (start > 0) {
      keep(chunk.subarray(0, start));
      finish();
    }
    give(chunk.subarray(start, end));
    wholeBytes += end - start;
    if (end < chunk.length) keep(chunk.subarray(end));
  }

  /** Gives the last line although it has no newline. */
  function finish(): void {
    give(Buffer.concat(incomplete));
    wholeBytes += restBytes;
    [incomplete, restBytes] = [[], 0];
  }

  function give(bytes: Buffer): void {
    const text = bytes.toString('latin1');
    const hasUtf8 = !isAscii(bytes);
    for (let start = 0; start < text.length;) {
      const lineFeed = text.indexOf('\n', start);
      const end = lineFeed === -1 ? text.length : lineFeed;
      const isReturned = end > start && text.charCodeAt(end - 1) === 13;
      const line = text.slice(start, isReturned ? end - 1 : end);
      if (end - start > lineBytesMax && end - start > bytesMaxOf(line)) {
        onLongLine(decode(line.slice(0, beginningBytes)));
      } else {
        onLine(hasUtf8 ? decode(line) : line);
      }
      start = end + 1;
    }
  }

  /** Copies, because the caller reuses the chunk. Keeps only the beginning of a line that is too long. */
  function keep(part: Buffer): void {
    const beginning = (incomplete[0] ?? part).toString('latin1', 0, beginningBytes);
    if (restBytes <= bytesMaxOf(beginning)) incomplete.push(Buffer.from(part));
    restBytes += part.length;
  }
}

/** The text of bytes that were read as one character each. */
function decode(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}

/** Of a line that begins so. */
function bytesMaxOf(line: string): number {
  return /^(?:\[\s*\{|\{\s*"[Rr]ecords")/.test(line.slice(0, 16)) ? arrayBytesMax : lineBytesMax;
}
