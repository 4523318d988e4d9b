import { isatty } from 'node:tty';
import { runCli } from './cli/run-cli.ts';
import { calledAs } from './cli/terminal/called-as.ts';
import { environment } from './config.ts';

/** npm passes a signal on that its child had as well, and systemd sends it again once npm has left. */
const echoMs = 1000;

/** The server promises to end within 10 seconds of a signal; so does every other command. */
const usualStopMs = 9200;

/** Runs the command line of this process and sets its exit code. */
export async function run(): Promise<void> {
  const stop = new AbortController();
  let firstMs = Infinity;
  let stopTimeoutMs = usualStopMs;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const exitCode = signal === 'SIGINT' ? 130 : 143;
      firstMs = Math.min(firstMs, performance.now());
      // A later one is from somebody who does not want to wait.
      if (performance.now() - firstMs > echoMs) process.exit(exitCode);
      if (stop.signal.aborted) return;
      stop.abort(signal);
      // Whatever is still waited for, such as a database that does not respond, is left.
      setTimeout(() => {
        process.stderr.write('Stopped without waiting any longer: something did not respond.\n');
        process.exit(exitCode);
      }, stopTimeoutMs).unref();
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader closed the pipe (`| head`): keep working, print nothing.
      // A command that listens for failures of its own deals with them.
      if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
    });
  }
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: isatty(process.stderr.fd),
    // A terminal that does not know its width has 0 columns.
    columns: (isatty(process.stdout.fd) && process.stdout.columns) || undefined,
    program: calledAs({
      script: process.argv[1] ?? '',
      node: process.execPath,
      folder: process.cwd(),
      env: environment,
    }),
    clock: Date.now,
    environment,
    stopWithin: (ms) => (stopTimeoutMs = ms),
    signal: stop.signal,
  });
}
