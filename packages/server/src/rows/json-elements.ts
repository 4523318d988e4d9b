import { CommandError } from '../problems.ts';
import { faultLine, shown } from './fault.ts';
import { tooLong } from './lines.ts';

/** The text of one element of a JSON array. */
export interface Element {
  /** Line at which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

const lineFeed = 0x0a;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [open, openList, close, closeList] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Bytes before the array, at most: enough for the one name that may stand there. */
const headBytesMax = 1024;

/**
 * Cuts a JSON array into its elements without building it: either the whole file is one, or it is
 * an object with one array. Elements are not parsed, only their brackets and strings are followed.
 * Throws a `CommandError` for what surrounds them and for an element over `rowBytesMax`.
 */
export async function* splitElements(
  chunks: AsyncIterable<Buffer>,
  { name, array, rowBytesMax }: { name: string; array: string | undefined; rowBytesMax: number },
): AsyncGenerator<Element[]> {
  const splitter = createSplitter({ name, array, rowBytesMax });
  for await (const chunk of chunks) yield splitter.push(chunk);
  splitter.end();
}

interface Splitter {
  push(chunk: Buffer): Element[];
  end(): void;
}

function createSplitter({
  name,
  array,
  rowBytesMax,
}: {
  name: string;
  array: string | undefined;
  rowBytesMax: number;
}): Splitter {
  let part: 'head' | 'elements' | 'tail' = 'head';
  let isInObject = false;
  /** Text before and after the array. */
  let around = '';
  let line = 1;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let elementLine = 0;
  let elementsCount = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  return { push, end };

  function push(chunk: Buffer): Element[] {
    const found: Element[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (part === 'elements') {
        if (isBoundary(byte)) {
          finish(chunk.subarray(start, at), byte === closeList, found);
          start = at + 1;
        }
      } else {
        outside(byte);
        start = at + 1;
      }
      if (byte === lineFeed) line += 1;
    }
    if (part === 'elements' && start < chunk.length) keep(chunk.subarray(start));
    return found;
  }

  /** Follows strings and brackets; true for the comma or bracket that ends an element. */
  function isBoundary(byte: number): boolean {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = false;
      return false;
    }
    if (depth === 0 && (byte === comma || byte === closeList)) return true;
    if (elementLine === 0 && byte > 0x20) elementLine = line;
    if (byte === quote) isInString = true;
    else if (byte === open || byte === openList) depth += 1;
    else if (byte === close || byte === closeList) depth -= 1;
    return false;
  }

  function finish(piece: Buffer, isLast: boolean, found: Element[]): void {
    keep(piece);
    const text = Buffer.concat(pieces, pieceBytes).toString('utf8').trim();
    // `[]` has no element; `[1,]` lacks one.
    const isEmptyArray = isLast && elementsCount === 0 && text === '';
    if (!isEmptyArray) {
      found.push({ line: elementLine === 0 ? line : elementLine, text });
      elementsCount += 1;
    }
    [pieces, pieceBytes, elementLine] = [[], 0, 0];
    if (isLast) part = 'tail';
  }

  function keep(piece: Buffer): void {
    pieces.push(piece);
    pieceBytes += piece.length;
    if (pieceBytes > rowBytesMax) throw tooLong(name, elementLine || line, rowBytesMax);
  }

  function outside(byte: number): void {
    if (part === 'head' && byte === openList) {
      checkHead();
      [part, around] = ['elements', ''];
      return;
    }
    around += String.fromCharCode(byte);
    if (around.length > headBytesMax && around.trim() !== '') throw surrounded();
    if (around.length > headBytesMax) around = '';
  }

  function checkHead(): void {
    const head = /^\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?$/.exec(around);
    if (head === null) throw surrounded();
    isInObject = around.trim() !== '';
    if (isInObject && array !== undefined && head[1] !== array) {
      throw refuse(
        `an array of rows, or an object with the array "${array}"; this one has`,
        head[1],
      );
    }
  }

  function end(): void {
    if (part === 'elements') throw refuse('more: the file ends within the array');
    if (part === 'head') {
      if (around.trim() === '') return;
      throw surrounded();
    }
    const after = around.trim();
    if (after !== (isInObject ? '}' : '')) {
      throw refuse(isInObject ? 'only "}" after the array' : 'nothing after the array', after);
    }
  }

  function surrounded(): CommandError {
    const advice = 'Where each line is an object of its own, say --format ndjson.';
    const form = array === undefined ? '' : `, or an object with the one array "${array}"`;
    const error = refuse(`an array of rows${form}`, around.trim());
    return new CommandError(`${error.message}\n${advice}`);
  }

  function refuse(expected: string, found?: string): CommandError {
    const what = found === undefined ? '' : `, found ${shown(found)}`;
    return new CommandError(faultLine(name, { line, expected: `${expected}${what}` }));
  }
}
