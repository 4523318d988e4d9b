import type { LogLine, SkipReason } from '../log-line.ts';

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /**
   * The user agent of a line that `parse` can read; undefined to make no claim. Most lines are a person's
   * and need no more than this.
   */
  userAgentOf?(line: string): string | undefined;
  /** Reads a line. Undefined if it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
