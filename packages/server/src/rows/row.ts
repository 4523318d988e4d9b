import { Refusal } from '../refusals.ts';
import type { Faults } from './fault.ts';

/** One row of a file, its text checked to be storable. */
export interface Row {
  /** Place among the rows, from 1. */
  readonly number: number;
  /** Line at which it begins, from 1. */
  readonly line: number;
  /** Whether every value is text, as in CSV. Values from JSON keep their types. */
  readonly isText: boolean;
  /** Whether a comma in a number is its decimal separator. */
  readonly hasDecimalComma: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The options that all readers of formats share. */
export interface FormatOptions {
  /** Names that a row may have; any name if undefined. */
  readonly fields: readonly string[] | undefined;
  /** Called with every refused row. */
  readonly faults: Faults;
  /** Whether a row may be any JSON object, in any nesting and with texts that cannot be stored. */
  readonly isForeign?: boolean | undefined;
  /** Most bytes of one row. */
  readonly rowBytesMax: number;
}

/** Refuses a row that is too large to be held in memory. */
export function tooLong(name: string, line: number, bytesMax: number): Refusal {
  return new Refusal('row_too_long', { file: name, line, bytesMax });
}
