/** The published command line, and what one command of it takes. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { z } from 'zod';

const reported = z.object({ cpuSeconds: z.number(), megabytes: z.number() });

/** What a command took, from its start to its end. */
export interface Took {
  readonly seconds: number;
  /** Of all threads of its process, the collector's too. */
  readonly cpuSeconds: number;
  /** The most that it had resident. */
  readonly megabytes: number;
}

/**
 * The most that this process had resident, in MB. On Linux `maxRSS` begins at what the process that
 * started this one had.
 */
export function peakMegabytes(): number {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) / 1024;
}

/** Runs in the command's process, and reports on its fourth stream what it took. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  ${peakMegabytes.toString()}
  if (isMainThread) process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeSync(3, JSON.stringify({ cpuSeconds, megabytes: peakMegabytes() }));
  });
`)}`;

/** Runs `overheard` with these words, as published. Throws if it fails. */
export async function runCommand(words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [await program(), ...words]);
}

/** The same, measured. */
export async function measureCommand(words: readonly string[]): Promise<Took> {
  const given = ['--import', meter, await program(), ...words];
  const start = performance.now();
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const [, , , stream] = child.stdio;
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('No pipe');
  const ended = once(child, 'close');
  const report = await text(stream);
  const [code] = await ended;
  if (code !== 0) throw new Error(`overheard ${words.join(' ')} ended with ${String(code)}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, ...reported.parse(JSON.parse(report)) };
}

/** It is built and installed when it is first asked for. */
async function program(): Promise<string> {
  const { overheard } = await import('./installed.ts');
  return overheard;
}
