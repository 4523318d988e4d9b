import { connect } from 'node:net';
import { stdin } from 'node:process';
import { text } from 'node:stream/consumers';

/**
 * A load generator on raw sockets, a process of its own: every connection has one request under way
 * at a time. Reads `{ port, requests, connections, seconds }` from its input, where `requests` are
 * whole request texts that are sent at random, and prints a `LoadResult`.
 */
interface LoadOrder {
  readonly port: number;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Between a response and the next request of a connection. */
  readonly pauseMs?: number;
}

/** What a load run measured. Times in milliseconds, bytes of one answer's body on average. */
export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly bodyBytes: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const order: LoadOrder = JSON.parse(await text(stdin));
const requests = order.requests.map((request) => Buffer.from(request, 'latin1'));
const latencies: number[] = [];
const statuses: Record<string, number> = {};
let bodyBytes = 0;
let isOver = false;

const startedMs = performance.now();
setTimeout(() => {
  isOver = true;
}, order.seconds * 1000);
await Promise.all(Array.from({ length: order.connections }, runConnection));
const seconds = (performance.now() - startedMs) / 1000;

latencies.sort((a, b) => a - b);
const result: LoadResult = {
  answers: latencies.length,
  perSecond: latencies.length / seconds,
  p50: quantile(0.5),
  p99: quantile(0.99),
  max: quantile(1),
  bodyBytes: Math.round(bodyBytes / latencies.length),
  statuses,
};
process.stdout.write(JSON.stringify(result));

function quantile(share: number): number {
  const place = Math.min(latencies.length - 1, Math.floor(latencies.length * share));
  return latencies[place] ?? Number.NaN;
}

function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, '127.0.0.1');
    let sentMs = 0;
    let headLength = 0;
    let missing = -1;
    let head = '';
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', receive);

    function send(): void {
      const request = requests[Math.floor(Math.random() * requests.length)];
      sentMs = performance.now();
      missing = -1;
      head = '';
      if (request !== undefined) socket.write(request);
    }

    function receive(chunk: Buffer): void {
      let rest = chunk.length;
      if (missing < 0) {
        head += chunk.toString('latin1');
        headLength = head.indexOf('\r\n\r\n');
        if (headLength === -1) return;
        missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        bodyBytes += missing;
        rest = head.length - headLength - 4;
        const status = head.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      missing -= rest;
      if (missing > 0) return;
      latencies.push(performance.now() - sentMs);
      if (isOver) socket.end();
      else if (order.pauseMs === undefined) send();
      else setTimeout(send, order.pauseMs);
    }
  });
}
