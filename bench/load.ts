/**
 * A load generator on raw sockets, a process of its own: each connection has one request under way
 * at a time. Reads a `LoadOrder` from its input, and prints a `LoadResult`.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LoadOrder {
  readonly port: number;
  /** Whole requests, which are sent at random. */
  readonly requests: readonly string[];
  /** Text in the requests that is replaced by the number of the request, as long as it. */
  readonly numbered?: string;
  readonly connections: number;
  readonly seconds: number;
  /** Between a response and the next request of a connection, on average: half as long to half as long again. */
  readonly pauseMs?: number;
}

/** Times in milliseconds; the bytes are those of an average body. */
export interface LoadResult {
  readonly responses: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly bodyBytes: number;
}

const lastChunk = '\r\n0\r\n\r\n';

const order: LoadOrder = JSON.parse(await text(process.stdin));
const requests = order.requests.map((request) => Buffer.from(request, 'latin1'));
const latencies: number[] = [];
let bodyBytes = 0;
let sent = 0;

const startedMs = performance.now();
const endMs = startedMs + order.seconds * 1000;
await Promise.all(Array.from({ length: order.connections }, runConnection));
const seconds = (performance.now() - startedMs) / 1000;

latencies.sort((left, right) => left - right);
const result: LoadResult = {
  responses: latencies.length,
  perSecond: latencies.length / seconds,
  p50: quantile(0.5),
  p99: quantile(0.99),
  max: quantile(1),
  bodyBytes: Math.round(bodyBytes / latencies.length),
};
process.stdout.write(JSON.stringify(result));

function number(request: Buffer | string, place: string): string {
  sent += 1;
  return String(request).replaceAll(place, String(sent).padStart(place.length, '0'));
}

function quantile(share: number): number {
  const place = Math.min(latencies.length - 1, Math.floor(latencies.length * share));
  return latencies[place] ?? Number.NaN;
}

function runConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, '127.0.0.1');
    let sentMs = 0;
    /** Bytes of the body that are not here yet; undefined while the head is read. */
    let missing: number | undefined;
    let head = '';
    /** The last bytes, which end a chunked body. */
    let tail = '';
    socket.setNoDelay(true);
    socket.on('connect', send).on('error', reject).on('data', receive);
    socket.on('close', () => resolve());

    function send(): void {
      sentMs = performance.now();
      missing = undefined;
      head = '';
      tail = '';
      const request = requests[Math.floor(Math.random() * requests.length)] ?? '';
      socket.write(order.numbered === undefined ? request : number(request, order.numbered));
    }

    function receive(chunk: Buffer): void {
      let rest = chunk.length;
      if (missing === undefined) {
        head += chunk.toString('latin1');
        const headLength = head.indexOf('\r\n\r\n');
        if (headLength === -1) return;
        const isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        missing = isChunked ? Infinity : length;
        bodyBytes += length;
        rest = head.length - headLength - 4;
      }
      missing -= rest;
      tail = (tail + chunk.toString('latin1')).slice(-lastChunk.length);
      if (missing > 0 && tail !== lastChunk) return;
      latencies.push(performance.now() - sentMs);
      if (performance.now() > endMs) socket.end();
      else if (order.pauseMs === undefined) send();
      else setTimeout(send, order.pauseMs * (0.5 + Math.random()));
    }
  });
}
