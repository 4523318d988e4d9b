import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { seedWorkspace, usualShape } from './dataset.ts';
import { startServer } from './processes.ts';

/** A long answer: one prompt's detections of a year. */
export interface StreamResult {
  readonly rows: number;
  readonly megabytes: number;
  readonly firstByteMs: number;
  readonly megabytesPerSecond: number;
  readonly peakMemory: number;
  readonly longestStallMs: number;
}

const shape = { ...usualShape, hits: 0, runs: 14_546, subjects: 11, promptsWithRuns: 1 };

/** Reads `detections?prompt_id=` with 160,000 rows from a fresh server. */
export async function measureStream(database: string): Promise<StreamResult> {
  const store = await openStore(database, { mayCreate: true });
  const { key, promptId } = await seedWorkspace(store, 'bench-stream', shape);
  await store.close();

  const server = await startServer(database, ['--quota', '0']);
  const origin = `http://127.0.0.1:${server.port}`;
  // Reading the metrics begins the next measurement of the event loop.
  await longestStall(origin);
  const startedMs = performance.now();
  const answer = await fetch(`${origin}/api/v1/detections?prompt_id=${promptId}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  });
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    if (bytes === 0) firstByteMs = performance.now() - startedMs;
    bytes += chunk.length;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const result = {
    rows: shape.runs * shape.subjects,
    megabytes: bytes / 1e6,
    firstByteMs,
    megabytesPerSecond: bytes / 1e6 / seconds,
    longestStallMs: await longestStall(origin),
    peakMemory: server.memory().peak,
  };
  await server.stop();
  return result;
}

/** The event loop's longest stall since this was last asked, in milliseconds. */
async function longestStall(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^overheard_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
