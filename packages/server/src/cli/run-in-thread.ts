import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
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

/** Whether to run a command by `runInThread`. Not `collect run`: a memory limit could lose paid answers. */
export function hasBoundedMemory([group, command]: readonly string[]): boolean {
  return group === 'hits' && command === 'ingest';
}

/**
 * Runs a command line in a thread with a limited heap. Returns its exit code; undefined if the heap
 * was too small, and the command can be run again in the main thread.
 */
export async function runInThread(
  args: readonly string[],
  { start, signal }: { start: Start; signal: AbortSignal },
): Promise<number | undefined> {
  const workerData: ThreadStart = { ...start, cacheFolder: getCompileCacheDir() };
  const readsInput = args.includes('-');
  const streams = { stdin: readsInput, stdout: true, stderr: true };
  const worker = new Worker(entry, { argv: [...args], workerData, resourceLimits, ...streams });
  if (worker.stdin !== null) passOn(process.stdin, worker.stdin);
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
    process.stderr.write(`The heap of the ingest is full. ${readsInput ? again : goingOn}\n`);
    return readsInput ? 1 : undefined;
  } finally {
    signal.removeEventListener('abort', stop);
    if (readsInput) process.stdin.destroy();
  }
}

const goingOn = 'The rest is read without a memory limit. The counts below cover only that rest.';
const again =
  'The hits so far are kept. Write the input to a file and ingest the file: it is read without a memory limit.';

/** Passes a stream on and frees each chunk at once: V8 lets 64 MB of them wait for its collector. */
function passOn(input: Readable, output: Writable): void {
  input.on('data', (chunk: Buffer<ArrayBuffer>) => {
    input.pause();
    output.write(chunk, () => {
      if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
      input.resume();
    });
  });
  input.on('end', () => output.end());
  input.on('error', () => output.end());
}
