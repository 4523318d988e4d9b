import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { redactPath } from './redact-keys.ts';
import { splitTarget } from './target.ts';

const pathMax = 500;

/** One structured line per request, without its query and with keys taken out. */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  log.info(
    {
      request_id: request.id,
      method: request.method,
      path: loggedPath(request.originalUrl),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      workspace_id: request.workspaceId ?? undefined,
      address: loggedAddress(request.ip),
    },
    'request',
  );
}

/** The line of a request whose client left before its answer was complete. */
export function logAbort(log: Logger, request: FastifyRequest): void {
  log.info(
    {
      request_id: request.id,
      method: request.method,
      path: loggedPath(request.originalUrl),
      workspace_id: request.workspaceId ?? undefined,
      address: loggedAddress(request.ip),
    },
    'the client left before its answer was complete',
  );
}

/** The path without keys, cut after they were taken out. pino escapes what could end a line. */
function loggedPath(target: string): string {
  const path = redactPath(splitTarget(target).path);
  return path.length > pathMax ? `${path.slice(0, pathMax)}...` : path;
}

/** A proxy that passes `X-Forwarded-For` on may pass on any text. */
function loggedAddress(address: string): string {
  return isIP(address) === 0 ? 'not an address' : address;
}
