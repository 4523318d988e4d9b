import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Problem } from '../../problems.ts';
import { endAfterClient, closeAfterResponse, isClosing } from '../service/closing-connections.ts';
import { problemResponse } from './problem-response.ts';

// Importing the module would also load its HTTP client, 3 MB for as long as a server runs.
const { STATUS_CODES, ServerResponse } = process.getBuiltinModule('node:http');

/**
 * Responds with a problem document to bytes that could not be parsed as a request. Then ends the
 * connection, because it is unknown where the next request would begin. Earlier requests on the
 * same connection get their responses first.
 */
export function respondToClientError(
  error: Error & { code?: string },
  socket: Duplex,
  { log, clock, publicUrl }: { log: Logger; clock: () => number; publicUrl: () => string },
): void {
  if (isClosing(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  closeAfterResponse(socket);
  const requestId = randomUUID();
  const { status, headers, body } = problemResponse(clientProblem(error.code), {
    publicUrl: publicUrl(),
    requestId,
  });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date(clock()).toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  afterEarlierResponses(socket, () => {
    log.info({ request_id: requestId, status, address: addressOf(socket) }, 'unreadable request');
    endAfterClient(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(
      'headers_too_large',
      'The request line and headers are over 16 KiB, or too many.',
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'The request was not complete in time.');
  }
  return new Problem('invalid_request', 'The request is not well-formed HTTP.');
}

/** Waits for the response that is being sent, because writing in between would corrupt it. */
function afterEarlierResponses(socket: Duplex, write: () => void): void {
  const response = '_httpMessage' in socket ? socket._httpMessage : undefined;
  if (response instanceof ServerResponse) {
    response.once('finish', () => afterEarlierResponses(socket, write));
  } else if (socket.writable) {
    write();
  }
}

function addressOf(socket: Duplex): unknown {
  return 'remoteAddress' in socket ? socket.remoteAddress : undefined;
}
