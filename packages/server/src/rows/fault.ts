import { CommandError } from '../problems.ts';
import { spelledOut } from '../values/printable.ts';

/** What is wrong at one place of a file. */
export interface Fault {
  /** Line at which the row begins, from 1. */
  readonly line: number;
  /** Name of the field; undefined where the whole row or file is meant. */
  readonly field?: string | undefined;
  /** What should stand there, as the end of "expected ...". */
  readonly expected: string;
  /** What stands there; undefined where there is nothing to show. */
  readonly found?: unknown;
  /** Whether the field's name is none of ours. */
  readonly isUnknown?: boolean;
}

/** Faults that are shown of one file, those of its first lines; the rest is counted. */
const shownMax = 20;
const foundLengthMax = 60;

/** Collects what is wrong in a file, so that one reading tells a person all of it. */
export class Faults {
  readonly #shown: Fault[] = [];
  readonly #unknown = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Names that are no field of ours, the first of them. */
  get unknown(): readonly string[] {
    return [...this.#unknown];
  }

  add(fault: Fault): void {
    this.#count += 1;
    if (fault.isUnknown === true && fault.field !== undefined && this.#unknown.size < shownMax) {
      this.#unknown.add(fault.field);
    }
    // They come in any order: rows are checked in several steps, and written by their ids.
    const place = this.#shown.findLastIndex(({ line }) => line <= fault.line) + 1;
    this.#shown.splice(place, 0, fault);
    if (this.#shown.length > shownMax) this.#shown.pop();
  }

  /** Throws a `CommandError` that lists the faults, if there are any. */
  refuse(fileName: string): void {
    if (this.#count === 0) return;
    const lines = this.#shown.map((fault) => faultLine(fileName, fault));
    const hidden = this.#count - this.#shown.length;
    if (hidden > 0) lines.push(`... and ${hidden} more.`);
    throw new CommandError(lines.join('\n'));
  }
}

/** A fault as `file:line: field "x": expected ..., found ...`. */
export function faultLine(fileName: string, { line, field, expected, found }: Fault): string {
  const where = field === undefined ? '' : `field ${shown(field)}: `;
  const what = found === undefined ? '' : `, found ${shown(found)}`;
  return `${fileName}:${line}: ${where}expected ${expected}${what}.`;
}

/** Foreign content for a message: short, on one line, and unable to act on a terminal. */
export function shown(value: unknown): string {
  // Cut before it is quoted: a value may be megabytes long.
  const text = typeof value === 'string' ? value.slice(0, foundLengthMax + 1) : value;
  // JSON has no infinity and would show null.
  const isFinite = typeof text !== 'number' || Number.isFinite(text);
  const quoted = spelledOut((isFinite ? JSON.stringify(text) : undefined) ?? String(text));
  return quoted.length > foundLengthMax + 2 ? `${quoted.slice(0, foundLengthMax)}...` : quoted;
}
