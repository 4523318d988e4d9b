import { endpoints } from '@overheard/contract';
import type { SeededWorkspace } from './dataset.ts';
import { load, requestText, startReference } from './processes.ts';
import type { Measured } from './processes.ts';

/** One line of the table: an endpoint beside a bare server that sends the same bytes from memory. */
export interface EndpointLine {
  readonly endpoint: string;
  readonly status: number;
  readonly bytes: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
  readonly referencePerSecond: number;
  readonly referenceCpuMicros: number;
}

/** Every endpoint: a repeated 200, and a 304. */
export async function measureEndpoints(
  server: Measured,
  workspaces: readonly SeededWorkspace[],
  seconds: number,
): Promise<EndpointLine[]> {
  const lines: EndpointLine[] = [];
  for (const { path, name } of endpoints) {
    for (const status of [200, 304]) {
      const conditions = status === 304 ? ['If-None-Match: *'] : [];
      const requests = workspaces.map(({ key }) => requestText(path, key, conditions));
      lines.push(await measure(server, { name, path, status, requests, seconds, workspaces }));
    }
  }
  return lines;
}

async function measure(
  server: Measured,
  {
    name,
    path,
    status,
    requests,
    seconds,
    workspaces,
  }: {
    name: string;
    path: string;
    status: number;
    requests: readonly string[];
    seconds: number;
    workspaces: readonly SeededWorkspace[];
  },
): Promise<EndpointLine> {
  const sample = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${workspaces[0]?.key ?? ''}`, 'accept-encoding': 'identity' },
  });
  const body = await sample.arrayBuffer();
  const reference = await startReference({
    status,
    headers: sentHeaders(sample.headers, status),
    bodyBytes: status === 304 ? 0 : body.byteLength,
  });
  // Every answer once, so that what is measured is repeated; then the code gets warm.
  for (const { key } of workspaces) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    await answer.arrayBuffer();
  }
  await load(server, { requests, seconds: 1 });
  const ours = await load(server, { requests, seconds });
  const theirs = await load(reference, { requests, seconds });
  await reference.stop();
  return {
    endpoint: name,
    status,
    bytes: ours.bodyBytes,
    perSecond: ours.perSecond,
    p50: ours.p50,
    p99: ours.p99,
    cpuMicros: ours.cpuMicros,
    referencePerSecond: theirs.perSecond,
    referenceCpuMicros: theirs.cpuMicros,
  };
}

/** The reference sends the same fields; Node adds the others itself. */
function sentHeaders(headers: Headers, status: number): Record<string, string> {
  const ofNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const left = [...headers].filter(
    ([name]) => !ofNode.has(name) && !(status === 304 && name === 'content-length'),
  );
  return Object.fromEntries(left);
}
