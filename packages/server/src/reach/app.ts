import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { logRequests } from '../api/request/request-log.ts';
import { createRewriteUrl, newRequestId } from '../api/request/request-steps.ts';
import { respondToFailures } from '../api/response/failures.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { createPipeline } from './pipeline.ts';
import type { ReachDependencies } from './pipeline.ts';
import type { HandleCall } from './tool-calls.ts';

const path = '/mcp';
const paths: ReadonlySet<string> = new Set([path]);

/** A call of a tool is a few lines. */
const bodyBytesMax = 64 * 1024;

/**
 * Builds the app for programs that send bodies, without listening: the tools of `overheard-mcp` at
 * an address. The listener passes it its paths.
 */
export async function buildReachApp(
  dependencies: ReachDependencies,
  parts: ProgramParts,
): Promise<FastifyInstance> {
  const app = fastify({
    trustProxy: [...dependencies.trustProxy],
    genReqId: newRequestId,
    bodyLimit: bodyBytesMax,
    return503OnClosing: false,
    rewriteUrl: createRewriteUrl(paths),
  });
  app.decorateRequest('workspaceId', null);
  app.removeAllContentTypeParsers();
  // The protocol reads the body itself, and refuses other types in its own words.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const step of createPipeline(dependencies, { paths, ...parts })) {
    app.addHook('onRequest', step);
  }
  logRequests(app, { log: dependencies.log, metrics: parts.metrics });
  respondToFailures(app, dependencies);

  let handling: Promise<HandleCall> | undefined;
  app.post(path, async (request, reply) => {
    handling ??= loadToolCalls();
    const handle = await handling;
    return handle(request, reply);
  });
  await app.ready();
  return app;

  /** Loads the protocol at the first call, because it takes 35 MB. */
  async function loadToolCalls(): Promise<HandleCall> {
    const { createToolCalls } = await import('./tool-calls.ts');
    return createToolCalls(dependencies, parts);
  }
}
