import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAnswer } from './answer.ts';
import { answerClientError } from './client-error.ts';
import { connectionLimits } from './connection-limits.ts';
import { createDeadline } from './deadline.ts';
import { createDescription } from './description.ts';
import type { ApiDependencies } from './dependencies.ts';
import { giveUp, isGivenUp } from './given-up.ts';
import { createMetrics } from './metrics.ts';
import { problemAnswer } from './problem-document.ts';
import { logAbort, logRequest } from './request-log.ts';
import { plainRoutes } from './plain-routes.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { createSteps } from './steps.ts';
import { splitTarget } from './target.ts';

/** A path that no route has: where targets go that are not exactly one of ours. */
const nowhere = '/-';

/**
 * Builds the API without listening: steps that every request passes, then its route. Nothing
 * outside of `dependencies` is touched.
 */
export async function buildApp(dependencies: ApiDependencies): Promise<FastifyInstance> {
  const { log, publicUrl, trustProxy, store } = dependencies;
  const limits = { ...connectionLimits, ...dependencies.limits };
  const metrics = createMetrics();
  const deadline = createDeadline();
  const description = createDescription(publicUrl);
  const plain = plainRoutes(dependencies, { metrics, description, deadline });
  const paths: ReadonlySet<string> = new Set([
    ...servedEndpoints.map(({ endpoint }) => endpoint.path),
    ...plain.map(({ path }) => path),
  ]);

  const app = fastify({
    trustProxy: [...trustProxy],
    genReqId: () => randomUUID(),
    // Paths count as they are sent: the router sees one of ours, or none.
    rewriteUrl: ({ url = '' }) => {
      const { path } = splitTarget(url);
      return paths.has(path) ? path : nowhere;
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.stallMs,
    http: {
      // Our own check answers with a problem document; Node's would not.
      requireHostHeader: false,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, { log, publicUrl }),
  });
  app.decorateRequest('workspaceId', null);
  app.server.on('checkExpectation', (request, response) => {
    // A server may ignore what it does not know (RFC 9110, 10.1.1).
    app.server.emit('request', request, response);
  });
  // Without a listener Node closes the connection without a word.
  app.server.on('connect', (_request, socket) => {
    answerClientError(new Error('CONNECT'), socket, { log, publicUrl });
  });

  for (const step of createSteps({ paths, isDraining: dependencies.isDraining })) {
    app.addHook('onRequest', step);
  }
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
    if (!isGivenUp(request.raw.socket)) logAbort(log, request);
    done();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = store.mapFailure(thrown);
    const answer = problemAnswer(error, { publicUrl: publicUrl(), requestId: request.id });
    if (answer.status >= 500) log.error({ err: error, request_id: request.id }, 'request failed');
    if ('Connection' in answer.headers) giveUp(request.raw.socket);
    // They were for the answer that could not be finished.
    reply.removeHeader('ETag').removeHeader('Content-Encoding');
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });

  app.addHook('onClose', async () => deadline.stop());
  const answer = createAnswer(dependencies, { metrics, deadline, contract: description.version });
  for (const served of servedEndpoints) {
    const { path } = served.endpoint;
    app.route({ method: ['GET', 'HEAD'], url: path, handler: answer(served) });
  }
  for (const { path, handler } of plain) {
    app.route({ method: ['GET', 'HEAD'], url: path, handler });
  }
  await app.ready();
  return app;
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
}
