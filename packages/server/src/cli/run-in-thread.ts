import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { Start } from './run-here.ts';

/**
 * V8 lets garbage grow with the memory of the machine. A thread can be told to collect earlier. An
 * ingest goes through any amount of data, and has 25 MB in use.
 * https://nodejs.org/api/worker_threads.html#workerresourcelimits
 */
const resourceLimits = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 96 };

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

export interface ThreadStart extends Start {
  readonly cacheFolder: string | undefined;
}

/**
 * Whether a command is to be run by `runInThread`. Standard input belongs to the first thread. Not
 * `collect run`: a bound could lose answers that were paid for.
 */
export function isFlat([group, command, ...args]: readonly string[]): boolean {
  return group === 'hits' && command === 'ingest' && !args.includes('-');
}

/**
 * Runs a command line in a thread whose heap is bounded. Returns its exit code; undefined if the heap
 * did not suffice.
 */
export async function runInThread(
  args: readonly string[],
  { start, signal }: { start: Start; signal: AbortSignal },
): Promise<number | undefined> {
  const workerData: ThreadStart = { ...start, cacheFolder: getCompileCacheDir() };
  const output = { stdout: true, stderr: true };
  const worker = new Worker(entry, { argv: [...args], workerData, resourceLimits, ...output });
  // No pipe: it would handle the errors of stdout and stderr, which `run` of main.ts handles.
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
