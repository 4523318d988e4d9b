import { parseRow } from './check-row.ts';
import type { FormatOptions, Row } from './row.ts';
import { Refusal } from '../refusals.ts';
import { rowsInvalid } from './fault.ts';
import { tooLong } from './row.ts';

/** A JSON array of objects, or an object whose one array is named `array`. */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  { name, array, ...options }: FormatOptions & { name: string; array: string | undefined },
): AsyncGenerator<Row[]> {
  let number = 0;
  for await (const elements of splitJsonElements(chunks, { name, array, ...options })) {
    const rows: Row[] = [];
    for (const { line, text } of elements) {
      number += 1;
      const row = parseRow(text, { number, line }, options);
      if (row !== undefined) rows.push(row);
    }
    yield rows;
  }
}

/** The text of one element of a JSON array. */
interface Element {
  /** Line at which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

const [lineFeed, space] = [0x0a, 0x20];
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [open, openList, close, closeList] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Most bytes before and after the array, enough for the name of the array. */
const aroundBytesMax = 1024;

/**
 * Splits a JSON array into the texts of its elements without building it. The file is one array, or
 * an object with one array or, if `isForeign`, any sequence of objects and arrays of objects.
 * Follows only brackets and strings. Throws a `Refusal` for other text around them, and for an
 * element over `rowBytesMax`.
 */
async function* splitJsonElements(
  chunks: AsyncIterable<Buffer>,
  options: SplitterOptions,
): AsyncGenerator<Element[]> {
  const splitter = new Splitter(options);
  for await (const chunk of chunks) yield splitter.push(chunk);
  splitter.end();
}

interface SplitterOptions {
  readonly name: string;
  readonly array: string | undefined;
  readonly isForeign?: boolean | undefined;
  readonly rowBytesMax: number;
}

class Splitter {
  readonly #options: SplitterOptions;
  #part: 'head' | 'elements' | 'tail' = 'head';
  #isInObject = false;
  /** Whether the element is an object outside an array. */
  #isBare = false;
  /** Text before and after the array. */
  #around = '';
  #line = 1;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** Line at which the element begins; 0 before it begins. */
  #elementLine = 0;
  #elements = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(options: SplitterOptions) {
    this.#options = options;
  }

  /** Takes the next bytes; returns the elements that end in them. */
  push(chunk: Buffer): Element[] {
    const elements: Element[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#part !== 'elements') {
        this.#outside(byte);
        start = this.#isBare ? at : at + 1;
      } else if (this.#isBoundary(byte)) {
        this.#finish(
          chunk.subarray(start, this.#isBare ? at + 1 : at),
          byte === closeList,
          elements,
        );
        start = at + 1;
      }
      if (byte === lineFeed) this.#line += 1;
    }
    if (this.#part === 'elements' && start < chunk.length) this.#keep(chunk.subarray(start));
    return elements;
  }

  /** Throws if the text is incomplete, or continues with something else. */
  end(): void {
    const around = this.#around.trim();
    if (this.#part === 'elements') throw this.#refusal(this.#cutOff());
    if (this.#part === 'head' && around !== '') throw this.#surrounded();
    if (this.#part === 'head') return;
    if (around === (this.#isInObject ? '}' : '')) return;
    const expected = this.#isInObject ? 'only "}" after the array' : 'nothing after the array';
    throw this.#refusal(expected, around);
  }

  /** Follows strings and brackets; true for the comma or bracket that ends an element. */
  #isBoundary(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return false;
    }
    if (this.#depth === 0 && (byte === comma || byte === closeList)) return true;
    if (this.#elementLine === 0 && byte > space) this.#elementLine = this.#line;
    if (byte === quote) this.#isInString = true;
    else if (byte === open || byte === openList) this.#depth += 1;
    else if (byte === close || byte === closeList) this.#depth -= 1;
    return this.#isBare && this.#depth === 0;
  }

  #finish(piece: Buffer, isLast: boolean, elements: Element[]): void {
    this.#keep(piece);
    const text = Buffer.concat(this.#pieces, this.#pieceBytes).toString('utf8').trim();
    // `[]` has no element, but `[1,]` lacks one.
    const isEmptyArray = isLast && this.#elements === 0 && text === '';
    if (!isEmptyArray) {
      elements.push({ line: this.#elementLine || this.#line, text });
      this.#elements += 1;
    }
    [this.#pieces, this.#pieceBytes, this.#elementLine] = [[], 0, 0];
    if (this.#isBare || (isLast && this.#options.isForeign === true)) {
      [this.#part, this.#isBare, this.#elements] = ['head', false, 0];
    } else if (isLast) this.#part = 'tail';
  }

  #keep(piece: Buffer): void {
    const { name, rowBytesMax } = this.#options;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes > rowBytesMax) {
      throw tooLong(name, this.#elementLine || this.#line, rowBytesMax);
    }
  }

  #outside(byte: number): void {
    if (this.#part === 'head' && byte === openList) {
      this.#checkHead();
      [this.#part, this.#around] = ['elements', ''];
      return;
    }
    if (this.#options.isForeign === true) {
      if (byte === open) {
        [this.#part, this.#isBare, this.#depth] = ['elements', true, 1];
        this.#elementLine = this.#line;
      } else if (byte > space && byte !== comma) {
        const character = String.fromCharCode(byte);
        // Lines such as `data: {...}` and `event: ...` come from a streamed response.
        const not = 'de:'.includes(character) ? ' (a stream of events is not read)' : '';
        throw this.#refusal(`a JSON object, or an array of JSON objects${not}`, character);
      }
      return;
    }
    this.#around += String.fromCharCode(byte);
    if (this.#around.length <= aroundBytesMax) return;
    if (this.#around.trim() !== '') throw this.#surrounded();
    this.#around = '';
  }

  #checkHead(): void {
    const head = /^\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?$/.exec(this.#around);
    if (head === null) throw this.#surrounded();
    const [, first] = head;
    const { array } = this.#options;
    this.#isInObject = first !== undefined;
    if (first !== undefined && array !== undefined && first !== array) {
      throw this.#refusal(`an array of rows, or an object with the array "${array}"`, first);
    }
  }

  #cutOff(): string {
    if (!this.#isBare) return 'more: the file ends within the array';
    return `more: the file ends within the object that begins in line ${this.#elementLine}`;
  }

  #surrounded(): Refusal {
    const { name, array } = this.#options;
    const text = this.#around.trim();
    return new Refusal('json_array_missing', { file: name, line: this.#line, array, found: text });
  }

  #refusal(expected: string, foundText?: string): Refusal {
    return rowsInvalid(this.#options.name, { line: this.#line, expected, found: foundText });
  }
}
