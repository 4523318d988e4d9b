import type { LogLine, SkipReason } from '../log-line.ts';

/**
 * One log format: reads a line. Undefined if the line is not of this format; else the request, or why
 * there is none.
 */
export type LogFormat = (line: string) => LogLine | SkipReason | undefined;

/** A format whose columns a line of the file names. */
export interface TableFormat {
  readonly parse: LogFormat;
  /** Takes a line that may name the columns of the lines after it; true if it does. */
  readDirective(line: string): boolean;
}
