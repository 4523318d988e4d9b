/**
 * The command line in a test: `runCommand` inside this process with captured streams,
 * `spawnCommand` as a process of its own.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
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

/** The program that npm links as `overheard`. */
export const program: string = fileURLToPath(
  new URL('../../../../node_modules/.bin/overheard', import.meta.url),
);

interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The number of a user, for root to run it as. */
  readonly user?: number | undefined;
}

/** Starts the command line as a process of its own; `ended` gives what it printed. */
export function spawnCommand(
  args: readonly string[],
  { env = {}, cwd, user }: SpawnOptions = {},
): {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Outcome>;
} {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env },
    cwd,
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const { promise: ended, resolve, reject } = Promise.withResolvers<Outcome>();
  child.on('error', reject);
  child.on('close', (code) => {
    resolve({
      code: code ?? -1,
      stdout: Buffer.concat(out).toString(),
      stderr: Buffer.concat(errors).toString(),
    });
  });
  return { child, ended };
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
