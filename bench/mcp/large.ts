import { initialize, startProgram } from '../../packages/mcp/test/line-host.ts';
import { detectionRows } from '../../packages/mcp/test/rows.ts';
import { timed } from '../bench.ts';
import { memoryOf, serveHttp } from '../processes.ts';

/**
 * Calls `get_detections` for many rows of one prompt: the longest wait of a ping meanwhile, in
 * milliseconds, and the most memory that the program had, in MB.
 */
export async function measureLarge(
  file: string,
  environment: Readonly<Record<string, string>>,
  { rowsCount, isRefused }: { rowsCount: number; isRefused: boolean },
): Promise<{ stallMs: number; peak: number }> {
  const rows = detectionRows(1000);
  const slice = JSON.stringify(rows).slice(1, -1);
  const { url, stop } = await serveHttp((_request, response) => {
    response.setHeader('content-type', 'application/json').setHeader('etag', 'W/"bench"');
    response.write('{"detections":[');
    let left = Math.ceil(rowsCount / rows.length);
    const send = (): void => {
      while (left-- > 1) if (!response.write(`${slice},`)) return;
      response.end(`${slice}]}`);
    };
    response.on('drain', send);
    send();
  });
  const host = startProgram({ file, environment: { ...environment, OVERHEARD_BASE_URL: url } });
  await host.request('initialize', initialize);
  const state = { isRunning: true };
  const call = host
    .request('tools/call', {
      name: 'get_detections',
      arguments: { prompt_id: '00000000-0000-5000-8000-000000000000' },
    })
    .finally(() => (state.isRunning = false));
  let stallMs = 0;
  while (state.isRunning) {
    stallMs = Math.max(stallMs, (await timed(() => host.request('ping'))).ms);
  }
  const result = JSON.stringify(await call);
  if (result.includes('too large') !== isRefused) {
    throw new Error(`${rowsCount} rows: ${result.slice(0, 200)}`);
  }
  const { peak } = memoryOf(host.child.pid);
  await host.close();
  stop();
  return { stallMs, peak };
}
