/**
 * The entry of the worker's thread. It is a separate thread so that asking does not delay requests.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assumeType } from '../values/assume-type.ts';
import { openStore } from '../storage/open/open-store.ts';
import { engineFetches } from './ask/engine-fetch.ts';
import type { CollectorOrder } from './collector.ts';
import { runWorker } from './worker.ts';
import type { WorkEvent } from './worker.ts';

const connectionsMax = 3;

const { database, environment, atOnce, prices } = assumeType<CollectorOrder>(workerData);
const stop = new AbortController();

parentPort?.once('message', () => stop.abort());
try {
  const store = await openStore(database, { connectionsMax });
  try {
    await runWorker(store, {
      atOnce,
      environment,
      prices,
      clock: Date.now,
      signal: stop.signal,
      fetchFor: engineFetches({ mayReachPrivate: false }),
      onEvent: send,
    });
  } finally {
    await store.close();
  }
} catch (error) {
  send({ error });
} finally {
  parentPort?.close();
}

function send(event: WorkEvent): void {
  parentPort?.postMessage(event);
}
