import { keyPattern } from '@overheard/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { splitTarget } from './target.ts';

const pathMax = 500;
const everyKey = new RegExp(keyPattern, 'g');

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
      address: request.ip,
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
      address: request.ip,
    },
    'the client left before its answer was complete',
  );
}

/** A path that may be logged. pino escapes what could end a line. */
export function loggedPath(target: string): string {
  const { path } = splitTarget(target);
  const short = path.length > pathMax ? `${path.slice(0, pathMax)}...` : path;
  return short.includes('overheard_') ? short.replace(everyKey, 'overheard_[redacted]') : short;
}
