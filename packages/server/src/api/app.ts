import type { FastifyInstance } from 'fastify';
import { endpointHandler } from './endpoint-steps.ts';
import { createDeadline } from './service/deadline.ts';
import { createDescription } from './response/description.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import { createHttpServer } from './http-server.ts';
import { createMetrics } from './service/metrics.ts';
import { logRequests } from './request/request-log.ts';
import { plainRoutes } from './plain-routes.ts';
import { createLocalReads } from './local-reads.ts';
import { createAdmission } from './service/admit-request.ts';
import { createBodyCache } from './response/ready-body.ts';
import { respondToFailures } from './response/failures.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { createPipeline } from './pipeline.ts';

/** Builds the API without listening. Its only effects are those in `dependencies`. */
export async function buildApp(dependencies: ApiDependencies): Promise<FastifyInstance> {
  const { store, log, publicUrl, readReport } = dependencies;
  const metrics = createMetrics();
  const deadline = createDeadline();
  const description = createDescription(publicUrl);
  const plain = plainRoutes(dependencies, { metrics, description, deadline });
  const paths: ReadonlySet<string> = new Set([
    ...servedEndpoints.map(({ endpoint }) => endpoint.path),
    ...plain.map(({ path }) => path),
  ]);

  const bodies = createBodyCache({ bytesMax: dependencies.cacheBytes });
  const sources = { store, readReport, metrics, contract: description.version, bodies };
  const admission = createAdmission(dependencies, metrics);

  const pages = await dependencies.pages?.({ metrics, deadline });
  const { openWorkspace } = admission;
  const read = createLocalReads(dependencies, { admission, sources });
  const programs = await dependencies.programs?.({ metrics, deadline, openWorkspace, read });
  const app = createHttpServer(dependencies, paths, { pages, programs });
  app.decorateRequest('workspaceId', null);
  app.addHook('onClose', async () => {
    deadline.stop();
    await pages?.close();
    await programs?.close();
  });
  const [requestPipeline, endpointSteps] = createPipeline(dependencies, {
    paths,
    admission,
    sources,
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
