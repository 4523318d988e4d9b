import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAnswer } from './answer.ts';
import { answerClientError } from './client-error.ts';
import { createDeadline } from './deadline.ts';
import { createDescription } from './description.ts';
import type { ApiDependencies } from './dependencies.ts';
import { createMetrics } from './metrics.ts';
import { problemAnswer } from './problem-document.ts';
import { logRequest } from './request-log.ts';
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
  const { log, publicUrl, trustProxy } = dependencies;
  const metrics = createMetrics();
  const description = createDescription(publicUrl);
  const plain = plainRoutes(dependencies, { metrics, description });
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
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    // Our own check answers with a problem document; Node's would not.
    http: { requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, { log, publicUrl }),
  });
  app.decorateRequest('workspaceId', null);
  app.server.on('checkExpectation', (request, response) => {
    // A server may ignore what it does not know (RFC 9110, 10.1.1).
    app.server.emit('request', request, response);
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
  app.setErrorHandler((error, request, reply) => {
    const answer = problemAnswer(error, { publicUrl: publicUrl(), requestId: request.id });
    if (answer.status >= 500) log.error({ err: error, request_id: request.id }, 'request failed');
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });

  const deadline = createDeadline();
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
