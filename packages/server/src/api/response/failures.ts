import type { FastifyInstance } from 'fastify';
import { closeAfterResponse } from '../service/closing-connections.ts';
import type { ApiDependencies } from '../service/dependencies.ts';
import { createFailureLog } from '../service/failure-log.ts';
import { problemResponse } from './problem-response.ts';

/** Turns every error into a problem document, and logs unexpected ones. */
export function respondToFailures(
  app: FastifyInstance,
  {
    store,
    log,
    clock,
    publicUrl,
    failures,
  }: Pick<ApiDependencies, 'store' | 'log' | 'clock' | 'publicUrl' | 'failures'>,
): void {
  const logFailure = createFailureLog('request failed', { log, clock, failures });
  app.setErrorHandler((thrown, request, reply) => {
    const error = store.mapFailure(thrown);
    const response = problemResponse(error, { publicUrl: publicUrl(), requestId: request.id });
    if (response.status >= 500) logFailure(error, request);
    if ('Connection' in response.headers) closeAfterResponse(request.raw.socket);
    // These headers belong to the response that could not be finished.
    reply.removeHeader('ETag').removeHeader('Content-Encoding');
    return reply.code(response.status).headers(response.headers).send(response.body);
  });
}
