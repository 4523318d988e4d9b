import type { LogLine, SkipReason } from '../log-line.ts';

/** Where in a buffer something stands. Reused from line to line: it is on the hottest path. */
export interface Span {
  start: number;
  end: number;
}

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /**
   * Finds the user agent in a line without reading the rest: most lines are a person's, and are done
   * with that. False where the line is not of this format, or not plain enough to tell.
   */
  locateUserAgent(bytes: Uint8Array, start: number, end: number, found: Span): boolean;
  /** The user agent as it was sent, from the bytes that were located. */
  decodeUserAgent(raw: string): string;
  /** Reads a line. Undefined where it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
