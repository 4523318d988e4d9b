import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { Start } from './run-here.ts';

/**
 * Commands that go through any amount of data and hold little of it at a time, with the old space of
 * their heap. 25 MB are in use; an answer that was paid for may have 32 MB.
 */
const oldSpaceMb = new Map([
  ['hits ingest', 96],
  ['collect run', 160],
]);

/**
 * V8 lets garbage grow with the memory of the machine. A thread can be told to collect earlier.
 * https://nodejs.org/api/worker_threads.html#workerresourcelimits
 */
const youngSpaceMb = 3;

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

export interface ThreadStart extends Start {
  readonly cacheFolder: string | undefined;
}

/** Whether a command is to be run by `runInThread`. Standard input belongs to the first thread. */
export function isFlat(args: readonly string[]): boolean {
  return oldSpaceMb.has(commandOf(args)) && !args.includes('-');
}

/**
 * Runs a command line in a thread whose heap is bounded. Returns its exit code; undefined if the heap
 * did not suffice.
 */
export async function runInThread(
  args: readonly string[],
  {
    start,
    signal,
    stopWithin,
  }: { start: Start; signal: AbortSignal; stopWithin: (ms: number) => void },
): Promise<number | undefined> {
  const workerData: ThreadStart = { ...start, cacheFolder: getCompileCacheDir() };
  const output = { stdout: true, stderr: true };
  const resourceLimits = {
    maxYoungGenerationSizeMb: youngSpaceMb,
    maxOldGenerationSizeMb: oldSpaceMb.get(commandOf(args)),
  };
  const worker = new Worker(entry, { argv: [...args], workerData, resourceLimits, ...output });
  // Not by a pipe, which would take the failures of these streams upon itself.
  let hasPrinted = false;
  worker.stdout.on('data', (chunk: Buffer) => {
    hasPrinted = true;
    process.stdout.write(chunk);
  });
  worker.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const stop = () => worker.postMessage(signal.reason);
  signal.addEventListener('abort', stop);
  worker.on('message', stopWithin);
  try {
    const ended = new Promise<number>((resolve, reject) => {
      worker.on('exit', resolve);
      worker.on('error', reject);
    });
    const [code] = await Promise.all([ended, finished(worker.stdout), finished(worker.stderr)]);
    return code;
  } catch (error) {
    const isOutOfMemory =
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!isOutOfMemory || hasPrinted) throw error;
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function commandOf(args: readonly string[]): string {
  return args.slice(0, 2).join(' ');
}
