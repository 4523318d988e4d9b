import type { LogLine, SkipReason } from '../log-line.ts';

/** What is enough to see that a line is of no interest. */
export interface Glance {
  readonly userAgent: string;
  readonly referer: string;
  /** The target; something may follow it. */
  readonly target: string;
}

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /**
   * A glance at a line that `parse` can read; undefined to make no claim. Most lines are a person's and
   * need no more than this.
   */
  glanceAt?(line: string): Glance | undefined;
  /** Reads a line. Undefined if it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
