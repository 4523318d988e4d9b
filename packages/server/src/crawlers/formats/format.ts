import type { LogLine, SkipReason } from '../log-line.ts';

/** The fields that show whether a line is worth parsing. */
export interface Glance {
  readonly userAgent: string;
  readonly referer: string;
  /** The target, perhaps with the rest of the line behind it. */
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
