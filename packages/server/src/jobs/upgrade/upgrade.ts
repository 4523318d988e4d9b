import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../refusals.ts';
import type { UpgradeStep } from '../../storage/store.ts';
import { assumeType } from '../../values/assume-type.ts';
import type { CountPlace } from '../../answers/counts/fill-counts.ts';

export interface UpgradeOrder {
  readonly database: string;
  /** See `StoreOptions`. */
  readonly upgradeFolder: string | undefined;
}

/** A message from the thread. */
export type UpgradeMessage =
  | { readonly step: UpgradeStep | CountPlace }
  | { readonly refusal: Pick<Refusal, 'code' | 'facts'> }
  | { readonly error: unknown };

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * How long the thread may take to end. Less than the second after which another signal counts:
 * `process.exit` waits for the thread, too.
 */
const endTimeoutMs = 500;

/**
 * Migrates a database and fills its counts in a thread, because either may block for minutes.
 * Throws what the thread threw. Once the signal aborts, the thread is ended; each finished step stays.
 * Calls `onStuck` if the thread does not end, because nothing interrupts a statement of SQLite.
 */
export async function upgrade(
  order: UpgradeOrder,
  {
    onStep,
    onStuck,
    signal,
  }: {
    onStep: (step: UpgradeStep | CountPlace) => void;
    onStuck: () => void;
    signal: AbortSignal;
  },
): Promise<void> {
  if (signal.aborted) return;
  const worker = new Worker(entry, { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    timer = setTimeout(onStuck, endTimeoutMs);
    void worker.terminate();
  };
  signal.addEventListener('abort', end);
  worker.on('message', (sent) => {
    const message = assumeType<UpgradeMessage>(sent);
    if ('step' in message) onStep(message.step);
    else if ('error' in message) reject(message.error);
    else reject(new Refusal(message.refusal.code, message.refusal.facts));
  });
  worker.on('error', reject);
  worker.on('exit', () => resolve());
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}
