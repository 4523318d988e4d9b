import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { Start } from './run-here.ts';

/**
 * V8 allows more garbage on machines with more memory. A thread can have a lower limit. An ingest
 * reads any amount of data, and uses 25 MB.
 * https://nodejs.org/api/worker_threads.html#workerresourcelimits
 */
const resourceLimits = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 96 };

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

export interface ThreadStart extends Start {
  readonly cacheFolder: string | undefined;
}

/**
 * Whether to run a command by `runInThread`. Commands that read standard input need the main
 * thread. `collect run` is excluded, because a memory limit could lose paid answers.
 */
export function isFlat([group, command, ...args]: readonly string[]): boolean {
  return group === 'hits' && command === 'ingest' && !args.includes('-');
}

/**
 * Runs a command line in a thread with a limited heap. Returns its exit code; undefined if the heap
 * was too small.
 */
export async function runInThread(
  args: readonly string[],
  { start, signal }: { start: Start; signal: AbortSignal },
): Promise<number | undefined> {
  const workerData: ThreadStart = { ...start, cacheFolder: getCompileCacheDir() };
  const output = { stdout: true, stderr: true };
  const worker = new Worker(entry, { argv: [...args], workerData, resourceLimits, ...output });
  // Do not use a pipe, because it would handle errors of stdout and stderr, which `run` of main.ts
  // handles.
  let hasPrinted = false;
  worker.stdout.on('data', (chunk: Buffer) => {
    hasPrinted = true;
    process.stdout.write(chunk);
  });
  worker.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const stop = () => worker.postMessage(signal.reason);
  signal.addEventListener('abort', stop);
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
    process.stderr.write(
      'The heap of the ingest is full. The rest is read without a bound; the counts below are of the rest alone.\n',
    );
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
