import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Problem } from '../../problems.ts';
import { endAfterClient, closeAfterResponse, isClosing } from '../service/closing-connections.ts';
import { problemResponse } from './problem-document.ts';

// To import it would load what the module has for clients, too: 3 MB for as long as a server runs.
const { STATUS_CODES, ServerResponse } = process.getBuiltinModule('node:http');

/**
 * Responds to bytes that could not be parsed as a request: a problem document like any other, after which the
 * connection ends, since nobody knows where the next request would begin. Requests that came before
 * it on the same connection get their responses first.
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
  afterEarlierAnswers(socket, () => {
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

/** Node keeps the response being sent on its socket; writing in between would corrupt it. */
function afterEarlierAnswers(socket: Duplex, write: () => void): void {
  const answer = '_httpMessage' in socket ? socket._httpMessage : undefined;
  if (answer instanceof ServerResponse) {
    answer.once('finish', () => afterEarlierAnswers(socket, write));
  } else if (socket.writable) {
    write();
  }
}

function addressOf(socket: Duplex): unknown {
  return 'remoteAddress' in socket ? socket.remoteAddress : undefined;
}
