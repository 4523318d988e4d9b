/**
 * The entry of the thread that reads the spool. It is a separate thread because reading lines and
 * writing hits would block the server's event loop.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../../storage/open/open-store.ts';
import { assumeType } from '../../values/assume-type.ts';
import { readSpool } from './read-spool.ts';
import type { SpoolOrder } from './spool-reader.ts';

const connectionsMax = 3;

const { database, folder } = assumeType<SpoolOrder>(workerData);
const stop = new AbortController();

parentPort?.once('message', () => stop.abort());
try {
  const store = await openStore(database, { connectionsMax });
  try {
    await readSpool(store, folder, { clock: Date.now, signal: stop.signal, onFailure: send });
  } finally {
    await store.close();
  }
} catch (error) {
  send(error);
} finally {
  parentPort?.close();
}

function send(error: unknown): void {
  parentPort?.postMessage(error);
}
