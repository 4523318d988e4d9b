// oxlint-disable-next-line import/no-unassigned-import -- It must come before any schema is made.
import './serve/no-compiler.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, withoutKeys } from '@overheard/tools';
import { createResponseCache } from './client/response-cache.ts';
import { check } from './serve/check.ts';
import { createClient } from './client/client.ts';
import { defaultBaseUrl, readConfig } from './config.ts';
import { defaultHttpPort, serveOverHttp } from './serve/http.ts';
import { readOptions, terminalHint } from './serve/options.ts';
import type { Timing } from './client/retry.ts';
import { serveOverStdio } from './serve/stdio.ts';
import { version } from './version.ts';

const help = `overheard-mcp ${version}: Overheard's read API as tools for AI assistants.

A host starts it and speaks the Model Context Protocol with it over stdin and stdout.

  overheard-mcp                  serve one host over stdin and stdout
  overheard-mcp --check          read one endpoint and report the result
  overheard-mcp --http           serve hosts on this machine over HTTP
      --port <number>            port for --http (default ${defaultHttpPort}; 0 takes a free one)
  overheard-mcp --version
  overheard-mcp --help

Environment:
  OVERHEARD_API_KEY              key of the workspace: overheard key create --workspace SLUG
  OVERHEARD_BASE_URL             address of the server (default ${defaultBaseUrl})
`;

const timing: Timing = {
  now: () => performance.now(),
  random: Math.random,
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal });
  },
};

/** Runs the program with its arguments, streams and signals, and ends the process. */
export async function run(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  // Exit at once, because open keep-alive connections would keep the process running for seconds.
  process.exit(await runProgram(process.argv.slice(2), stop.signal));
}

async function runProgram(args: string[], signal: AbortSignal): Promise<number> {
  const options = await readOptions(args);
  if (typeof options === 'string') {
    say(`${options}\n\n${help}`);
    return 2;
  }
  if (options.help || options.version) {
    process.stdout.write(options.help ? help : `${version}\n`);
    return 0;
  }
  const config = readConfig();
  const client = createClient({
    config,
    fetch,
    timing,
    cache: createResponseCache(),
    userAgent: `overheard-mcp/${version}`,
  });
  if (options.check) {
    const { text, isGood } = await check({ config, client, timing, signal });
    process.stdout.write(text);
    return isGood ? 0 : 1;
  }
  const serving = {
    createServer: () =>
      createServer({ program: { name: 'overheard-mcp', version }, client, onBug: complain }),
    onError: complain,
  };
  if (options.http) return serveHttp(serving, options.port, signal);
  const hint = terminalHint(process.stdin);
  // Use the stream only if needed, because creating it would delay the start for a host.
  if (hint !== '') say(hint);
  await serveOverStdio({ ...serving, stdin: process.stdin, stdout: process.stdout, signal });
  return 0;
}

async function serveHttp(
  serving: {
    createServer: () => ReturnType<typeof createServer>;
    onError: (error: unknown) => void;
  },
  port: number | undefined,
  signal: AbortSignal,
): Promise<number> {
  const running = await serveOverHttp({
    ...serving,
    ...(port === undefined ? {} : { port }),
  }).catch((error: unknown) => complain(error));
  if (running === undefined) return 1;
  say(`overheard-mcp ${version} serves ${running.url} to this machine only.\n`);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await running.close();
  return 0;
}

/** Writes an error's message, without keys, to the host's log of this server. */
function complain(error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  say(`overheard-mcp: ${withoutKeys(words)}\n`);
}

/** Writes to stderr. A closed stderr must not end the program. */
function say(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text);
}
