/** The command line in a test, as a process of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { inject } from 'vitest';
import type { Outcome } from './command-line.ts';

/** The program as it is published, which a run of tests builds from these sources. */
export function builtProgram(): string {
  return inject('program');
}

interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The number of a user, for root to run it as. */
  readonly user?: number | undefined;
  /** The path of `overheard.js`; a bench names the one that it has installed. */
  readonly program?: string | undefined;
}

/** Starts the command line as a process of its own; `ended` gives what it printed. */
export function spawnCommand(
  args: readonly string[],
  { env = {}, cwd, user, program = builtProgram() }: SpawnOptions = {},
): {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Outcome>;
} {
  const child = spawn(process.execPath, [program, ...args], {
    // Its hints name it as `npx` starts it.
    env: { npm_command: 'exec', ...env },
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
