import { load, requestText } from '../processes.ts';
import type { MeasuredProcess } from '../processes.ts';
import { median, table } from '../bench.ts';
import type { Cells } from '../bench.ts';
import type { LoadResult } from '../load.ts';

/** Between a result and the next call of a host: a model that reads and asks again. */
const pauseMs = 1000;

/**
 * The API's times alone, and while 20 hosts call tools at `/mcp`: a program that reads the API asks
 * again 20 ms after each response, on 4 connections. The middle of five rounds, one after the other.
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
  // A server that has run for a while has compiled what both need.
  await load(server, { ...hosts, seconds: 5, pauseMs: 0 });
  await load(server, { ...reader, seconds: 1 });
  const rounds: Array<readonly [LoadResult, LoadResult, LoadResult]> = [];
  for (let round = 0; round < 5; round += 1) {
    const alone = await load(server, reader);
    rounds.push([alone, ...(await Promise.all([load(server, reader), load(server, hosts)]))]);
  }
  const middle = (index: 0 | 1 | 2, what: 'responses' | 'p50' | 'p99'): number =>
    median(rounds.map((round) => round[index][what]));
  const row = (name: string, index: 0 | 1 | 2): Cells => [
    name,
    middle(index, 'responses'),
    middle(index, 'p50'),
    middle(index, 'p99'),
  ];
  const times = median(rounds.map(([alone, beside]) => beside.p99 / alone.p99));
  const rows = [
    [...row('alone', 0), 1],
    [...row('with 20 hosts', 1), times],
    [...row('calls of the hosts', 2), ''],
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
