import type { LogLine, SkipReason } from '../log-line.ts';
import type { WrittenLine } from '../written-line.ts';

/**
 * Reads plain lines in two steps: most lines are a person's, and are done when their user agent is found.
 */
export interface PlainReader {
  /** Whether a line is one that `LogFormat.parse` is certain to read, unsigned and with a user agent. */
  find(line: WrittenLine): boolean;
  /** Where the user agent of the line found last stands, in its text and its bytes. */
  readonly agent: number;
  readonly agentEnd: number;
  /** Reads the line found last, which has this user agent, as `LogFormat.parse` does. */
  parse(line: WrittenLine, userAgent: string): LogLine | SkipReason | undefined;
}

/** One log format. */
export interface LogFormat {
  readonly name: string;
  /** Reads the lines that nearly all are. A property test holds it against `parse`. */
  readonly plain?: PlainReader;
  /** Reads a line. Undefined where it is not of this format; else the request, or why there is none. */
  parse(line: string): LogLine | SkipReason | undefined;
}
