import { rowEndpoints } from '@overheard/contract';
import { percent, table } from '../bench.ts';
import type { Cells } from '../bench.ts';
import { load, requestText, startReference, startServer } from '../processes.ts';
import type { SeededDatabase } from '../seed.ts';

/** A repeated 200 and a 304 of each endpoint, beside a bare server; then the server's memory. */
export async function measureEndpoints(
  { database, workspaces }: SeededDatabase,
  seconds: number,
): Promise<string> {
  const server = await startServer(database);
  const rows: Cells[] = [];
  for (const { path, name } of rowEndpoints) {
    const { headers, bytes } = await readAll(server.url + path, workspaces);
    for (const status of [200, 304]) {
      const conditions = status === 304 ? ['If-None-Match: *'] : [];
      const requests = workspaces.map(({ key }) => requestText(path, key, conditions));
      const bodyBytes = status === 304 ? 0 : bytes;
      const reference = await startReference({ status, headers: sent(headers, status), bodyBytes });
      await load(server, { requests, seconds: 1 });
      const ours = await load(server, { requests, seconds });
      const theirs = await load(reference, { requests, seconds });
      await reference.stop();
      rows.push([
        `${name} ${status}`,
        ours.bodyBytes,
        ours.perSecond,
        ours.p50,
        ours.p99,
        ours.cpuMicros,
        theirs.perSecond,
        theirs.cpuMicros,
        percent(ours.perSecond / theirs.perSecond),
        percent(theirs.cpuMicros / ours.cpuMicros),
      ]);
    }
  }
  const { now, peak } = server.memory();
  await server.stop();
  const head =
    'endpoint,bytes,responses/s,p50 ms,p99 ms,CPU us,bare/s,bare CPU us,ratio,CPU ratio'.split(',');
  return `${table(head, rows)}\n\nResident memory under that load: ${Math.round(now)} MB at the end, ${Math.round(peak)} MB at its highest.`;
}

/** Reads every response once, so that the measured ones are repeated. */
async function readAll(
  url: string,
  workspaces: SeededDatabase['workspaces'],
): Promise<{ headers: Headers; bytes: number }> {
  let [headers, bytes] = [new Headers(), 0];
  for (const { key } of workspaces) {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    [headers, bytes] = [response.headers, (await response.arrayBuffer()).byteLength];
  }
  return { headers, bytes };
}

/** The reference sends the same fields; Node adds the others itself. */
function sent(headers: Headers, status: number): Record<string, string> {
  const left = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  if (status === 304) left.add('content-length');
  return Object.fromEntries([...headers].filter(([name]) => !left.has(name)));
}
