import { createServer } from 'node:http';
import { argv } from 'node:process';

/**
 * The reference: a bare `node:http` server that sends one answer from memory, with as many header
 * fields as the API. Reads `{ headers, body, status }` from its argument (the body as base64 in a
 * file's stead), prints its port, and its CPU time on `SIGTERM`.
 */
const order: { status: number; headers: Record<string, string>; bodyBytes: number } = JSON.parse(
  argv[2] ?? '{}',
);
const body = Buffer.alloc(order.bodyBytes, 'x');
const server = createServer((_request, response) => {
  response.writeHead(order.status, order.headers);
  response.end(order.status === 304 ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
