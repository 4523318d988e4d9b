/**
 * A bare `node:http` server that sends one response from memory, with as many header fields as the
 * API. Its argument is the response; it prints its port.
 */
import { createServer } from 'node:http';

const order: { status: number; headers: Record<string, string>; bodyBytes: number } = JSON.parse(
  process.argv[2] ?? '{}',
);
const body = Buffer.alloc(order.bodyBytes, 'x');
const server = createServer((_request, response) => {
  response.writeHead(order.status, order.headers);
  response.end(order.status === 304 ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stderr.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
