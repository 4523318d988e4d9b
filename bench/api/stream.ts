import { table } from '../bench.ts';
import { startServer } from '../processes.ts';
import type { SeededDatabase } from '../seed.ts';

/** Reads all detections of one prompt from a server that has just started. */
export async function measureStream({ database, workspaces }: SeededDatabase): Promise<string> {
  const [{ key, promptId } = { key: '', promptId: '' }] = workspaces;
  const server = await startServer(database);
  // Reading the metrics begins the next measurement of the event loop.
  await longestStall(server.url);
  const startedMs = performance.now();
  const url = `${server.url}/api/v1/detections?prompt_id=${promptId}`;
  const { body } = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  });
  let [firstByteMs, text] = [Number.NaN, ''];
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (text === '') firstByteMs = performance.now() - startedMs;
    text += chunk;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const stallMs = await longestStall(server.url);
  const { peak } = server.memory();
  await server.stop();
  return table(
    ['detections of one prompt', 'value'],
    [
      ['rows', text.split('"run_id"').length - 1],
      ['MB', text.length / 1e6],
      ['first byte, ms', firstByteMs],
      ['MB/s', text.length / 1e6 / seconds],
      ['longest stall of the event loop, ms', stallMs],
      ['highest resident memory, MB', peak],
    ],
  );
}

/** The event loop's longest stall since the last call, in milliseconds. */
async function longestStall(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^overheard_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
