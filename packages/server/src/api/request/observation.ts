import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isClosing } from '../service/closing-connections.ts';
import type { Metrics } from '../service/metrics.ts';
import { logAbort, logRequest } from './request-log.ts';

/** Has every request leave one line in the log, and every answer its count. */
export function observe(
  app: FastifyInstance,
  { log, metrics }: { log: Logger; metrics: Metrics },
): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply);
    metrics.observeRequest({
      route: routeOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    // What stood behind a refused request had no answer to wait for.
    if (!isClosing(request.raw.socket)) logAbort(log, request);
    done();
  });
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
}
