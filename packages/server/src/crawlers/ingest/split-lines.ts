/** Lines up to this length are read; longer ones are skipped, whatever their length. */
export const lineBytesMax = 65_536;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Told of the lines of a stream of bytes. */
export interface LineListener {
  /** A line without its newline (and `\r`). The bytes are valid during the call alone. */
  onLine(bytes: Buffer, start: number, end: number): void;
  /** A line that was too long, with its first bytes. */
  onLongLine(beginning: Buffer): void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The bytes of a last line that has no newline yet; undefined where there is none. */
  readonly rest: Buffer | undefined;
  /** The length of what has been pushed up to the end of the last whole line, in bytes. */
  readonly wholeBytes: number;
  /** Gives the last line although it has no newline. */
  finish(): void;
}

/** Cuts bytes into lines. Holds at most one line of `lineBytesMax`, whatever comes. */
export function createLineSplitter({ onLine, onLongLine }: LineListener): LineSplitter {
  let rest: Buffer | undefined;
  let isTooLong = false;
  let pushedBytes = 0;
  let wholeBytes = 0;
  return {
    push,
    finish,
    get rest() {
      return rest;
    },
    get wholeBytes() {
      return wholeBytes;
    },
  };

  function push(chunk: Buffer): void {
    const before = pushedBytes;
    pushedBytes += chunk.length;
    let start = 0;
    let end = chunk.indexOf(newline);
    if (rest !== undefined && end !== -1) {
      endRest(chunk.subarray(0, end));
      start = end + 1;
      end = chunk.indexOf(newline, start);
    }
    while (end !== -1) {
      give(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(newline, start);
    }
    if (start > 0) wholeBytes = before + start;
    if (start < chunk.length) keep(chunk.subarray(start));
  }

  /** The line that the last chunk began ends here. */
  function endRest(ending: Buffer): void {
    const beginning = rest ?? Buffer.alloc(0);
    rest = undefined;
    if (isTooLong) onLongLine(beginning);
    else {
      const line = Buffer.concat([beginning, ending]);
      give(line, 0, line.length);
    }
    isTooLong = false;
  }

  function give(bytes: Buffer, start: number, end: number): void {
    if (end - start > lineBytesMax)
      return onLongLine(Buffer.from(bytes.subarray(start, start + 200)));
    const hasReturn = end > start && bytes[end - 1] === carriageReturn;
    onLine(bytes, start, hasReturn ? end - 1 : end);
  }

  function keep(bytes: Buffer): void {
    if (isTooLong) return;
    const line = rest === undefined ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    isTooLong = line.length > lineBytesMax;
    rest = isTooLong ? Buffer.from(line.subarray(0, 200)) : line;
  }

  function finish(): void {
    if (rest === undefined) return;
    endRest(Buffer.alloc(0));
    wholeBytes = pushedBytes;
  }
}
