import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { logRequests } from '../api/request/request-log.ts';
import { createRewriteUrl, newRequestId } from '../api/request/request-steps.ts';
import { respondToFailures } from '../api/response/failures.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { oauthRoutes } from './oauth.ts';
import { createPipeline } from './pipeline.ts';
import type { ReachDependencies } from './pipeline.ts';
import type { HandleCall } from './tool-calls.ts';

const path = '/mcp';

/** A call of a tool, or a form of a client, is a few lines. */
const bodyBytesMax = 64 * 1024;

/**
 * Builds the app for programs that send bodies, without listening: the tools of `overheard-mcp` at
 * an address, and the sign-in of assistants. The listener passes it its paths.
 */
export async function buildReachApp(
  dependencies: ReachDependencies,
  parts: ProgramParts,
): Promise<FastifyInstance> {
  const oauth = oauthRoutes(dependencies);
  const methods = new Map<string, readonly string[]>([[path, ['POST']]]);
  for (const each of oauth) methods.set(each.path, each.methods);
  const app = fastify({
    trustProxy: [...dependencies.trustProxy],
    genReqId: newRequestId,
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    rewriteUrl: createRewriteUrl(new Set(methods.keys())),
  });
  app.decorateRequest('workspaceId', null);
  app.removeAllContentTypeParsers();
  // The protocol reads the body itself, and refuses other types in its own words.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const steps = createPipeline(dependencies, { methods, ...parts });
  for (const step of steps.ofAll) app.addHook('onRequest', step);
  logRequests(app, { log: dependencies.log, metrics: parts.metrics });
  respondToFailures(app, dependencies);

  let handling: Promise<HandleCall> | undefined;
  app.post(path, { onRequest: [...steps.ofCalls] }, async (request, reply) => {
    handling ??= loadToolCalls();
    const handle = await handling;
    return handle(request, reply);
  });
  for (const { path: url, methods: method, handler } of oauth) {
    app.route({ method: [...method], url, handler });
  }
  await app.ready();
  return app;

  /** Loads the protocol at the first call, because it takes 35 MB. */
  async function loadToolCalls(): Promise<HandleCall> {
    const { createToolCalls } = await import('./tool-calls.ts');
    return createToolCalls(dependencies, parts);
  }
}
