/** The command line in a test, inside this process with captured streams. */
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../src/cli/run-cli.ts';

/** What a command line printed, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  /** What is typed or piped in. */
  readonly stdin?: string | Uint8Array;
  /** Whether stdin and stderr are a person's terminal. */
  readonly isTerminal?: boolean;
  /** Characters of a line, if stdout is a terminal. */
  readonly columns?: number;
  /** How the program was called. */
  readonly calledAs?: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** Variables of the process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether engines may be at loopback. */
  readonly mayReachPrivate?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs one command line in this process. */
export async function runCommand(
  args: readonly string[],
  {
    stdin = '',
    isTerminal = false,
    columns,
    calledAs = 'overheard',
    clock = Date.now,
    fetch = globalThis.fetch,
    environment = {},
    mayReachPrivate = false,
    signal = new AbortController().signal,
  }: RunOptions = {},
): Promise<Outcome> {
  const stdout = capture();
  const stderr = capture();
  const code = await runCli(args, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), isTerminal && { isTTY: true }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    isTerminal,
    columns,
    program: calledAs,
    clock,
    ...(clock !== Date.now && { databaseClock: clock }),
    fetch,
    environment,
    mayReachPrivate,
    signal,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
