import type { Readable, Writable } from 'node:stream';
import type { NamedPlace } from './as-typed.ts';

/** The effects of a command besides the database, given by the process or by a test. */
export interface Io {
  readonly stdin: Readable;
  /** For data, which another program may read. */
  readonly stdout: Writable;
  /** Words for a person. */
  readonly stderr: Writable;
  /** Whether a person watches stderr, so that progress may be drawn. */
  readonly isTerminal: boolean;
  /** Width of stdout in characters, if it is a terminal. Tables are wrapped to it. */
  readonly columns?: number | undefined;
  /** Turns every `overheard COMMAND` in a message into a command that the reader can type. */
  readonly asTyped: (words: string, named?: NamedPlace) => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The clock of the database. Only tests give one, because PostgreSQL uses its own clock. */
  readonly databaseClock?: () => number;
  /** Fetches the lists of operators and the robots.txt of sites. */
  readonly fetch: typeof globalThis.fetch;
  /** Variables of the process, for the keys of engines. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether every engine may be at a private address. Only tests set it, because they have their
   * own server.
   */
  readonly mayReachPrivate?: boolean;
  /** Lets the process continue for this long after the signal. The default is ten seconds. */
  readonly stopWithin?: (ms: number) => void;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}
