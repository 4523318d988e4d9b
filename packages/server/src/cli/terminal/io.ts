import type { Readable, Writable } from 'node:stream';

/** What a command may touch besides the database: given by the process, or by a test. */
export interface Io {
  readonly stdin: Readable;
  /** Data: what another program may read. */
  readonly stdout: Writable;
  /** Words for a person. */
  readonly stderr: Writable;
  /** Whether a person watches stderr, so that progress may be drawn. */
  readonly isTerminal: boolean;
  /** Characters of a line of stdout, if it is a terminal: tables are wrapped to it. */
  readonly columns?: number | undefined;
  /** Makes every `overheard COMMAND` in words for a person one that the reader can type. */
  readonly asTyped: (words: string, database?: string) => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Variables of the process, for the keys of engines. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether every engine may be at an address that isn't public: of tests, which have their own server. */
  readonly mayReachPrivate?: boolean;
  /** Lets the process work on for so long after that signal; ten seconds if it is not called. */
  readonly stopWithin?: (ms: number) => void;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}
