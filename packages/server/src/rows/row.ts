import type { Faults } from './fault.ts';

/** One row of a file, its text checked to be storable. */
export interface Row {
  /** Place among the rows, from 1. */
  readonly number: number;
  /** Line at which it begins, from 1. */
  readonly line: number;
  /** Whether every value is text, as CSV has it; from JSON it is what stood there. */
  readonly isText: boolean;
  /** Whether a comma within a number stands for its decimal point. */
  readonly hasDecimalComma: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What the readers of the formats share. */
export interface FormatOptions {
  /** Names that a row may have; any name where undefined. */
  readonly fields: readonly string[] | undefined;
  /** Called with every refused row. */
  readonly faults: Faults;
  /** Whether a row may be any JSON object, in any nesting and with texts that cannot be stored. */
  readonly isForeign?: boolean | undefined;
  /** Bytes of one row, at most. */
  readonly rowBytesMax: number;
}
