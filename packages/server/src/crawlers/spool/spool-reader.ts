import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface SpoolOrder {
  readonly database: string;
  readonly folder: string;
}

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/** How long to wait before a thread that ended is started again: it may have failed to open the database. */
const restartMs = 5000;
/** How long the thread may take to end. What it has not committed is read again. */
const leaveMs = 2500;

/**
 * Reads a spool in a thread, which starts with the first call of `start`: most servers receive
 * nothing. `stop` resolves when the thread has ended.
 */
export function createSpoolReader(order: SpoolOrder, onFailure: (error: unknown) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  return {
    start: () => void (running ??= run()),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await runOnce();
      await sleep(restartMs, undefined, { signal }).catch(() => {});
    }
  }

  async function runOnce(): Promise<void> {
    const worker = new Worker(entry, { workerData: order });
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => {
      worker.postMessage('stop');
      void sleep(leaveMs, undefined, { ref: false }).then(() => worker.terminate());
    };
    signal.addEventListener('abort', stop);
    worker.on('message', onFailure);
    worker.on('error', onFailure);
    worker.on('exit', () => resolve());
    await promise;
    signal.removeEventListener('abort', stop);
  }
}
