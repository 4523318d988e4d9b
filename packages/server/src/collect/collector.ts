import { extname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { assumeType } from '../values/assume-type.ts';
import type { PriceRow } from './engines/prices.ts';
import type { WorkEvent } from './worker.ts';

export interface CollectorOrder {
  readonly database: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly atOnce: number;
  readonly prices: readonly PriceRow[];
}

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/** How long to wait before a thread that ended is started again: it may have failed to open the database. */
const restartMs = 30_000;

/**
 * Starts a worker in a thread. `stop` makes it ask nothing new, and resolves when the open
 * questions have ended.
 */
export function startCollector(
  order: CollectorOrder,
  onEvent: (event: WorkEvent) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce();
      await setTimeout(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function runOnce(): Promise<void> {
    const worker = new Worker(entry, { workerData: order });
    const stop = () => worker.postMessage('stop');
    const { promise, resolve } = Promise.withResolvers<void>();
    stopping.signal.addEventListener('abort', stop);
    worker.on('message', (event) => onEvent(assumeType<WorkEvent>(event)));
    worker.on('error', (error) => onEvent({ error }));
    worker.on('exit', () => resolve());
    await promise;
    stopping.signal.removeEventListener('abort', stop);
  }
}
