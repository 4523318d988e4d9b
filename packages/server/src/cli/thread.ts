/** The entry of the thread for a command with a limited heap. */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { assumeType } from '../values/assume-type.ts';
import type { ThreadStart } from './run-in-thread.ts';

const { cacheFolder, ...start } = assumeType<ThreadStart>(workerData);
if (cacheFolder !== undefined) enableCompileCache(cacheFolder);
// Node caches the compiled code of modules that are imported from here on.
const { runHere } = await import('./run-here.ts');

const stop = new AbortController();
parentPort?.on('message', (signal) => stop.abort(signal));
// Waiting for a signal to stop must not keep the thread alive.
parentPort?.unref();
process.exitCode = await runHere(process.argv.slice(2), {
  start,
  signal: stop.signal,
});
