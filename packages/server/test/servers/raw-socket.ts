/**
 * Bytes on the wire: what no HTTP client would send, and what really comes back. Every exchange ends
 * when the server closes the connection, so nothing here waits for silence.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** One answer, as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The last request of a connection: a response to it shows that the connection was still open. */
export const lastRequest = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Opens a connection to 127.0.0.1. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // A reset is an outcome like any other; the answers before it count.
  socket.on('error', () => {});
  return socket;
}

/** Sends bytes and gives the answers that came until the server closed the connection. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  { isHalfClosed = false }: { isHalfClosed?: boolean } = {},
): Promise<RawAnswer[]> {
  const socket = await open(port);
  const received = collect(socket);
  if (isHalfClosed) socket.end(bytes);
  else socket.write(bytes);
  return parseAnswers(await received);
}

/** Everything that arrives until the connection is closed. */
export async function collect(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks);
}

/** Parses answers that follow each other; throws for one that is cut off. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`The answer is cut off: ${rest}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map(parseHeader));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const length = status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) throw new Error(`The body is cut off: ${body}`);
    answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
