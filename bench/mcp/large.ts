import { createServer } from 'node:http';
import { detectionRows } from '../../packages/mcp/test/rows.ts';
import { initialize } from '../../packages/mcp/test/line-host.ts';
import { peakMegabytes, startProgram } from './program.ts';

const runsAtOnce = 1000;

/**
 * Calls `get_detections` for many rows of one prompt: the longest wait of a ping meanwhile, in
 * milliseconds, and the most memory that the program had, in megabytes.
 */
export async function measureLarge(
  file: string,
  env: Record<string, string>,
  { rowsCount, isRefused }: { rowsCount: number; isRefused: boolean },
): Promise<{ stallMs: number; peakMb: number | undefined }> {
  const rows = detectionRows(runsAtOnce);
  const slice = JSON.stringify(rows).slice(1, -1);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').setHeader('etag', 'W/"bench"');
    response.write('{"detections":[');
    let left = Math.ceil(rowsCount / rows.length);
    const send = (): void => {
      for (; left > 1; left -= 1) if (!response.write(`${slice},`)) return;
      response.end(`${slice}]}`);
    };
    response.on('drain', () => {
      left -= 1;
      send();
    });
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const program = startProgram(file, { ...env, OVERHEARD_BASE_URL: `http://127.0.0.1:${port}` });
  await program.request('initialize', initialize);
  const state = { isRunning: true };
  const call = program
    .request('tools/call', {
      name: 'get_detections',
      arguments: { prompt_id: '00000000-0000-5000-8000-000000000000' },
    })
    .finally(() => (state.isRunning = false));
  let stallMs = 0;
  while (state.isRunning) {
    const sentMs = performance.now();
    await program.request('ping');
    stallMs = Math.max(stallMs, performance.now() - sentMs);
  }
  const result = JSON.stringify(await call);
  if (result.includes('too large') !== isRefused) {
    throw new Error(`${rowsCount} rows: ${result.slice(0, 200)}`);
  }
  const peakMb = peakMegabytes(program.pid);
  await program.end();
  server.closeAllConnections();
  server.close();
  return { stallMs, peakMb };
}
