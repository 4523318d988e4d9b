import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { overheard } from '../installed.ts';
import type { LoadResult } from './load.ts';

/** A process under measurement. What it used is read from Linux's `/proc`. */
export interface MeasuredProcess {
  readonly port: number;
  /** CPU time of all its threads so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory now and at its highest, in MB. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

/** Starts `overheard serve` on a free port; its log goes nowhere. */
export async function startServer(
  database: string,
  options: readonly string[] = [],
): Promise<MeasuredProcess> {
  const server = spawn(
    process.execPath,
    [overheard, 'serve', '--database', database, '--port', '0', '--drain-seconds', '1', ...options],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const port = Number(/listens on \S+:(\d+)\n/.exec(await firstText(server, 'stderr'))?.[1]);
  return measured(server, port);
}

/** Starts the bare server that sends one answer from memory. */
export async function startReference(order: {
  status: number;
  headers: Record<string, string>;
  bodyBytes: number;
}): Promise<MeasuredProcess> {
  const server = spawn(process.execPath, [path('./reference-server.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return measured(server, Number(await firstText(server, 'stdout')));
}

/** Runs the load generator and adds the CPU time that the server took for each answer. */
export async function load(
  server: MeasuredProcess,
  order: { requests: readonly string[]; connections?: number; seconds: number; pauseMs?: number },
): Promise<LoadResult & { cpuMicros: number }> {
  const before = server.cpuMicros();
  const generator = spawn(process.execPath, [path('./load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  generator.stdin.end(JSON.stringify({ connections: 20, ...order, port: server.port }));
  const chunks: Buffer[] = [];
  generator.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(generator, 'close');
  const result: LoadResult = JSON.parse(Buffer.concat(chunks).toString());
  return { ...result, cpuMicros: (server.cpuMicros() - before) / result.answers };
}

/** A whole request as text. */
export function requestText(target: string, key: string, headers: readonly string[] = []): string {
  return [
    `GET ${target} HTTP/1.1`,
    'Host: bench',
    `Authorization: Bearer ${key}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}

function measured(child: ChildProcess, port: number): MeasuredProcess {
  if (!Number.isInteger(port)) throw new Error('The server did not say its port');
  return { port, cpuMicros, memory, stop };

  function cpuMicros(): number {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // User and system time in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }

  function memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM') };
  }

  async function stop(): Promise<void> {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
}

function megabytes(status: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

async function firstText(child: ChildProcess, stream: 'stdout' | 'stderr'): Promise<string> {
  const [chunk] = await once(child[stream] ?? child, 'data');
  return String(chunk);
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
