import type { FastifyInstance } from 'fastify';
import { endpointHandler } from './endpoint-steps.ts';
import { createDeadline } from './service/deadline.ts';
import { createDescription } from './response/description.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import { createFailureLog } from './service/failure-log.ts';
import { closeAfterResponse } from './service/closing-connections.ts';
import { createHttpServer } from './http-server.ts';
import { createMetrics } from './service/metrics.ts';
import { logRequests } from './request/request-log.ts';
import { plainRoutes } from './plain-routes.ts';
import { problemResponse } from './response/problem-response.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { createPipeline } from './pipeline.ts';

/** Builds the API without listening. Its only effects are those in `dependencies`. */
export async function buildApp(dependencies: ApiDependencies): Promise<FastifyInstance> {
  const { store, log, publicUrl } = dependencies;
  const metrics = createMetrics();
  const deadline = createDeadline();
  const description = createDescription(publicUrl);
  const plain = plainRoutes(dependencies, { metrics, description, deadline });
  const paths: ReadonlySet<string> = new Set([
    ...servedEndpoints.map(({ endpoint }) => endpoint.path),
    ...plain.map(({ path }) => path),
  ]);

  const pages = await dependencies.pages?.({ metrics, deadline });
  const app = createHttpServer(dependencies, paths, pages);
  app.decorateRequest('workspaceId', null);
  app.addHook('onClose', async () => {
    deadline.stop();
    await pages?.close();
  });
  const contract = description.version;
  const [requestPipeline, endpointSteps] = createPipeline(dependencies, {
    paths,
    metrics,
    contract,
  });
  for (const step of requestPipeline) app.addHook('onRequest', step);
  logRequests(app, { log, metrics });
  respondToFailures(app, dependencies);

  const handle = endpointHandler(endpointSteps, { store, log, publicUrl, metrics, deadline });
  for (const served of servedEndpoints) {
    const { path } = served.endpoint;
    app.route({ method: ['GET', 'HEAD'], url: path, handler: handle(served) });
  }
  for (const { path, handler } of plain) {
    app.route({ method: ['GET', 'HEAD'], url: path, handler });
  }
  await app.ready();
  return app;
}

/** Turns every error into a problem document, and logs unexpected ones. */
function respondToFailures(
  app: FastifyInstance,
  { store, log, clock, publicUrl }: Pick<ApiDependencies, 'store' | 'log' | 'clock' | 'publicUrl'>,
): void {
  const logFailure = createFailureLog('request failed', { log, clock });
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
