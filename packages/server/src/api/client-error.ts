import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Problem } from '../problems.ts';
import { problemAnswer } from './problem-document.ts';

/**
 * Answers what could not be parsed as a request: a problem document like any other, after which the
 * connection ends, since nobody knows where the next request would begin.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  { log, publicUrl }: { log: Logger; publicUrl: () => string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const { status, headers, body } = problemAnswer(clientProblem(error.code), {
    publicUrl: publicUrl(),
    requestId,
  });
  log.info({ request_id: requestId, status, address: socket.remoteAddress }, 'unreadable request');
  if (isAnswering(socket)) {
    // An earlier request of this connection is being answered: words in between would corrupt it.
    socket.destroySoon();
    return;
  }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers_too_large', 'The request line and headers are over 16 KiB.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'The request was not complete in time.');
  }
  return new Problem('invalid_request', 'The request is not well-formed HTTP.');
}

/** Node keeps the answer that is under way on its socket. */
function isAnswering(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null;
}
