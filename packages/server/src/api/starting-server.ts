import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { unavailable } from '../problems.ts';
import { version } from '../version.ts';
import { problemResponse } from './response/problem-response.ts';

// Importing the module would also load its HTTP client, 3 MB for as long as a server runs.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * The HTTP server while the database is not ready, without listening: `/healthz` responds that the
 * process lives, every other path with 503 and the sentence about what the server does.
 */
export function createStartingServer(publicUrl: string, sentence: () => string): Server {
  return createServer((request, response) => {
    request.resume();
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The next request goes to the server that is then ready.
    response.setHeader('Connection', 'close');
    if (/^\/healthz(?:\?|$)/.test(request.url ?? '')) {
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      response.writeHead(200, headers).end(JSON.stringify({ status: 'ok', version }));
      return;
    }
    const failure = unavailable(`The server is starting. ${sentence()}`);
    const { status, headers, body } = problemResponse(failure, { publicUrl, requestId });
    response.writeHead(status, headers).end(body);
  });
}
