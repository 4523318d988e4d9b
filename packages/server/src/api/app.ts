import type { FastifyInstance } from 'fastify';
import { createAnswer } from './answer.ts';
import { createDeadline } from './deadline.ts';
import { createDescription } from './description.ts';
import type { ApiDependencies } from './dependencies.ts';
import { giveUp } from './given-up.ts';
import { createHttpServer } from './http-server.ts';
import { createMetrics } from './metrics.ts';
import { observe } from './observation.ts';
import { plainRoutes } from './plain-routes.ts';
import { problemAnswer } from './problem-document.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { createSteps } from './steps.ts';

/**
 * Builds the API without listening: steps that every request passes, then its route. Nothing
 * outside of `dependencies` is touched.
 */
export async function buildApp(dependencies: ApiDependencies): Promise<FastifyInstance> {
  const { log, publicUrl, isDraining } = dependencies;
  const metrics = createMetrics();
  const deadline = createDeadline();
  const description = createDescription(publicUrl);
  const plain = plainRoutes(dependencies, { metrics, description, deadline });
  const paths: ReadonlySet<string> = new Set([
    ...servedEndpoints.map(({ endpoint }) => endpoint.path),
    ...plain.map(({ path }) => path),
  ]);

  const app = createHttpServer(dependencies, paths);
  app.decorateRequest('workspaceId', null);
  app.addHook('onClose', async () => deadline.stop());
  for (const step of createSteps({ paths, isDraining })) app.addHook('onRequest', step);
  observe(app, { log, metrics });
  answerFailures(app, dependencies);

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

/** Turns whatever is thrown into a problem document; what was not expected goes to the log. */
function answerFailures(
  app: FastifyInstance,
  { store, log, publicUrl }: Pick<ApiDependencies, 'store' | 'log' | 'publicUrl'>,
): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = store.mapFailure(thrown);
    const answer = problemAnswer(error, { publicUrl: publicUrl(), requestId: request.id });
    if (answer.status >= 500) log.error({ err: error, request_id: request.id }, 'request failed');
    if ('Connection' in answer.headers) giveUp(request.raw.socket);
    // They were for the answer that could not be finished.
    reply.removeHeader('ETag').removeHeader('Content-Encoding');
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
}
