import { load, requestText } from '../processes.ts';
import type { MeasuredProcess } from '../processes.ts';
import { table } from '../bench.ts';

/** Between a result and the next call of a host: a model that reads and asks again. */
const pauseMs = 1000;

/**
 * The API's times alone, and while 20 hosts call tools at `/mcp`: a program that reads the API asks
 * again 20 ms after each response, on 4 connections.
 */
export async function measureHosts(
  server: MeasuredProcess,
  key: string,
  seconds: number,
): Promise<string> {
  const reader = {
    requests: ['/api/v1/scores', '/api/v1/shares', '/api/v1/actions'].map((path) =>
      requestText(path, key),
    ),
    connections: 4,
    seconds,
    pauseMs: 20,
  };
  const hosts = {
    requests: ['get_report', 'get_shares', 'get_scores', 'get_answers'].map((name) =>
      callText(name, key),
    ),
    connections: 20,
    seconds,
    pauseMs,
  };
  await load(server, { ...reader, seconds: 1 });
  const alone = await load(server, reader);
  const [beside, ofHosts] = await Promise.all([load(server, reader), load(server, hosts)]);
  const rows = [
    ['alone', alone.responses, alone.p50, alone.p99, 1],
    ['with 20 hosts', beside.responses, beside.p50, beside.p99, beside.p99 / alone.p99],
    ['calls of the hosts', ofHosts.responses, ofHosts.p50, ofHosts.p99, ''],
  ];
  return table(['the API, ms', 'responses', 'p50', 'p99', 'p99 to alone'], rows);
}

/** A call of a tool as a client of the older era sends it. */
function callText(name: string, key: string): string {
  const params = { name, arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: bench',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ];
  return [...head, '', body].join('\r\n');
}
