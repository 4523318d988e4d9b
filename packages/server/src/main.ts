import { isatty } from 'node:tty';

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
      // A second signal means: stop now. An echo of the first does not count.
      if (performance.now() - firstMs > echoMs) process.exit(exitCode);
      if (stop.signal.aborted) return;
      stop.abort(signal);
      // Do not wait for anything else, such as a database that does not respond.
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
  // A signal stops the program from here on, also while it loads.
  const { environment } = await import('./config.ts');
  const { programCommand } = await import('./cli/terminal/program-command.ts');
  const { runCli } = await import('./cli/run-cli.ts');
  const [, script = '', ...args] = process.argv;
  process.exitCode = await runCli(args, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: isatty(process.stderr.fd),
    // A terminal that does not know its width has 0 columns.
    columns: (isatty(process.stdout.fd) && process.stdout.columns) || undefined,
    program: programCommand({
      script,
      node: process.execPath,
      folder: process.cwd(),
      env: environment,
    }),
    clock: Date.now,
    fetch: globalThis.fetch,
    environment,
    signal: stop.signal,
    stopWithin: (ms) => void (stopTimeoutMs = ms),
  });
}
