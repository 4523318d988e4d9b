import type { LogLine, SkipReason } from '../log-line.ts';

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /**
   * The user agent of a line, as written, without reading the rest: most lines are a person's, and are
   * done with that. The line is given as Latin-1, one character a byte. Undefined where the line is not
   * of this format, or not plain enough to tell.
   */
  userAgentOf(line: string): string | undefined;
  /** A user agent as it was sent, from how it was written. */
  decodeUserAgent(raw: string): string;
  /** Reads a line. Undefined where it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
