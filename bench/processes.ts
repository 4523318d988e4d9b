/** Servers and the load on them. What they use is read from Linux's `/proc`. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load.ts';
import { overheard } from './program.ts';

/** A process under measurement. */
export interface MeasuredProcess {
  readonly url: string;
  readonly port: number;
  /** What it said until it listened. */
  readonly said: string;
  /** CPU time of all its threads so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory now and at its highest, in MB. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

/** Starts `overheard serve` on a free port, without a quota; its log goes nowhere. */
export function startServer(
  database: string,
  options: readonly string[] = [],
): Promise<MeasuredProcess> {
  const words = [
    'serve',
    '--database',
    database,
    '--quota',
    '0',
    '--drain-seconds',
    '1',
    ...options,
  ];
  return listening([overheard(), ...words, '--port', '0'], /listens on \S+:(\d+)\n/);
}

/** Starts a program of Node; resolves when it has printed the pattern, whose group is its port. */
export async function listening(
  words: readonly string[],
  pattern: RegExp,
): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  while (!pattern.test(said)) {
    const [chunk] = await Promise.race([once(child.stderr, 'data'), once(child, 'close')]);
    if (child.exitCode !== null) throw new Error(`It ended: ${said}`);
    said += String(chunk);
  }
  const port = Number(pattern.exec(said)?.[1]);
  return { url: `http://127.0.0.1:${port}`, port, said, ...measured(child) };
}

/** Starts the bare server that sends one response from memory. */
export function startReference(order: {
  status: number;
  headers: Record<string, string>;
  bodyBytes: number;
}): Promise<MeasuredProcess> {
  return listening([path('./reference-server.ts'), JSON.stringify(order)], /(\d+)\n/);
}

/** Runs the load generator, and adds the CPU time that the server took for each response. */
export async function load(
  server: MeasuredProcess,
  order: Omit<LoadOrder, 'port' | 'connections'> & { readonly connections?: number },
): Promise<LoadResult & { cpuMicros: number }> {
  const before = server.cpuMicros();
  const generator = spawn(process.execPath, [path('./load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  generator.stdin.end(JSON.stringify({ connections: 20, ...order, port: server.port }));
  const result: LoadResult = JSON.parse(await text(generator.stdout));
  return { ...result, cpuMicros: (server.cpuMicros() - before) / result.responses };
}

/** A whole request as text. */
export function requestText(target: string, key: string, headers: readonly string[] = []): string {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: bench', `Authorization: Bearer ${key}`];
  return [...lines, ...headers, '', ''].join('\r\n');
}

/** Serves HTTP on loopback in this process. */
export async function serveHttp(
  listener: RequestListener,
): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port');
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}`, stop };
}

/** Resident memory of a process, now and at its highest, in MB. */
export function memoryOf(pid: number | undefined): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** CPU time of all threads of a process so far, in microseconds. */
export function cpuMicrosOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.split(') ')[1]?.split(' ') ?? [];
  // User and system time in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function measured(child: ChildProcess): Pick<MeasuredProcess, 'cpuMicros' | 'memory' | 'stop'> {
  return {
    cpuMicros: () => cpuMicrosOf(child.pid),
    memory: () => memoryOf(child.pid),
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
