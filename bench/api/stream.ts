import { table } from '../bench.ts';
import { startServer } from './processes.ts';
import { seedOne, usualShape } from './workspaces.ts';

/** A year of one prompt: 160,000 detections. */
const shape = { ...usualShape, hits: 0, runs: 14_546, subjects: 11, promptsWithRuns: 1 };

/** Reads `detections?prompt_id=` of a year from a fresh server. */
export async function measureStream(database: string): Promise<string> {
  const { key, promptId } = await seedOne(database, 'stream', shape);
  const server = await startServer(database, ['--quota', '0']);
  const origin = `http://127.0.0.1:${server.port}`;
  // Reading the metrics begins the next measurement of the event loop.
  await longestStall(origin);
  const startedMs = performance.now();
  const response = await fetch(`${origin}/api/v1/detections?prompt_id=${promptId}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  });
  let firstByteMs = Number.NaN;
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    if (bytes === 0) firstByteMs = performance.now() - startedMs;
    bytes += chunk.length;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const rows: ReadonlyArray<[string, number]> = [
    ['rows', shape.runs * shape.subjects],
    ['MB', bytes / 1e6],
    ['first byte, ms', firstByteMs],
    ['MB/s', bytes / 1e6 / seconds],
    ['longest stall of the event loop, ms', await longestStall(origin)],
    ['highest resident memory, MB', server.memory().peak],
  ];
  await server.stop();
  return table(['detections of one prompt', 'value'], rows);
}

/** The event loop's longest stall since this was last asked, in milliseconds. */
async function longestStall(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^overheard_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
