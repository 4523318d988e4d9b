import type { LogLine, SkipReason } from '../log-line.ts';
import type { WrittenLine } from '../written-line.ts';

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /**
   * The user agent of a plain line that `parse` is certain to read, with this user agent and unsigned:
   * most lines are a person's, and are done with that. Undefined for every other line. A property test
   * holds it against `parse`.
   */
  readonly userAgentOf?: (line: WrittenLine) => string | undefined;
  /** Reads a line. Undefined where it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
