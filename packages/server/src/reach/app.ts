import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { logRequests } from '../api/request/request-log.ts';
import { splitTarget } from '../api/request/split-target.ts';
import { createRewriteUrl, newRequestId } from '../api/request/request-steps.ts';
import { respondToFailures } from '../api/response/failures.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { createReceive, fastlyChallenge, receiveMethods } from './ingest.ts';
import { oauthRoutes } from './oauth.ts';
import { createPipeline, ingestPath } from './pipeline.ts';
import type { ReachDependencies } from './pipeline.ts';
import type { HandleCall } from './tool-calls.ts';

const path = '/mcp';

/** A call of a tool, or a form of a client, is a few lines. */
const bodyBytesMax = 64 * 1024;

/**
 * Builds the app for programs that send bodies, without listening: the tools of `overheard-mcp` at
 * an address, the sign-in of assistants, and receivers of log lines. The listener passes it its paths.
 */
export async function buildReachApp(
  dependencies: ReachDependencies,
  parts: ProgramParts,
): Promise<FastifyInstance> {
  const documents = [...oauthRoutes(dependencies), fastlyChallenge];
  const methods = new Map<string, readonly string[]>([[path, ['POST']]]);
  for (const each of documents) methods.set(each.path, each.methods);
  methods.set(ingestPath, receiveMethods);
  const rewriteExact = createRewriteUrl(new Set(methods.keys()));
  const app = fastify({
    trustProxy: [...dependencies.trustProxy],
    genReqId: newRequestId,
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // A token is no parameter of a path, because the router would refuse some in its own words.
    rewriteUrl: (request) =>
      splitTarget(request.url ?? '').path.startsWith(ingestPath)
        ? ingestPath
        : rewriteExact(request),
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
  for (const { path: url, methods: method, handler } of documents) {
    app.route({ method: [...method], url, handler });
  }
  await app.register(async (receivers) => {
    receivers.removeAllContentTypeParsers();
    // The receiver reads the body itself, once it knows the sender.
    receivers.addContentTypeParser('*', (_request, _body, done) => done(null));
    const handler = createReceive(dependencies, parts);
    receivers.route({ method: [...receiveMethods], url: ingestPath, handler });
  });
  await app.ready();
  return app;

  /** Loads the protocol at the first call, because it takes 35 MB. */
  async function loadToolCalls(): Promise<HandleCall> {
    const { createToolCalls } = await import('./tool-calls.ts');
    return createToolCalls(dependencies, parts);
  }
}
