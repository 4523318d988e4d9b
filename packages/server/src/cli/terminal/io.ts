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
  /** What to type to call the program as it was called, such as `npx overheard`. */
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}
