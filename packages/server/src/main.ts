import { isatty } from 'node:tty';
import { runCli } from './cli.ts';

/** Runs the command line of this process and sets its exit code. */
export async function run(): Promise<void> {
  const stop = new AbortController();
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The second one is from somebody who does not want to wait.
      if (++signals > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
      stop.abort(signal);
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read has left, as `head` does: the work is done all the same, and nobody told.
      // A command that listens for failures of its own deals with them.
      if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
    });
  }
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: isatty(process.stderr.fd),
    clock: Date.now,
    signal: stop.signal,
  });
}
