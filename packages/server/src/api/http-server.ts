import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { createSharedServer, isOfApi } from './service/shared-server.ts';
import type { OtherApps } from './service/shared-server.ts';
import { respondToClientError } from './response/client-error.ts';
import { connectionLimits } from './service/connection-limits.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import {
  createRewriteUrl,
  hasBody,
  meetsExpectations,
  newRequestId,
} from './request/request-steps.ts';

/** The HTTP server without steps and routes: limits, exact paths, and responses to malformed requests. */
export function createHttpServer(
  { log, clock, publicUrl, trustProxy, limits: overrides }: ApiDependencies,
  /** Every path that is served. */
  paths: ReadonlySet<string>,
  others: OtherApps = {},
): FastifyInstance {
  const limits = { ...connectionLimits, ...overrides };
  const hasOthers = Object.values(others).some((other) => other !== undefined);
  const app = fastify({
    ...(hasOthers && { serverFactory: createSharedServer(others, limits) }),
    trustProxy: [...trustProxy],
    genReqId: newRequestId,
    rewriteUrl: createRewriteUrl(paths),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.stallMs,
    http: {
      // Our own check responds with a problem document; Node's would not.
      requireHostHeader: false,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    clientErrorHandler: (error, socket) =>
      respondToClientError(error, socket, { log, clock, publicUrl }),
  });
  app.server.on('checkContinue', (request, response) => {
    // The API refuses bodies, so the client need not send one. Without an interim response Node
    // ends the connection, which is right only in this case.
    const takesBody = !hasBody(request) || (hasOthers && !isOfApi(request.url));
    if (meetsExpectations(request) && takesBody) response.writeContinue();
    app.server.emit('request', request, response);
  });
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Without a listener Node closes the connection without a response.
  app.server.on('connect', (_request, socket) => {
    respondToClientError(new Error('CONNECT'), socket, { log, clock, publicUrl });
  });
  return app;
}
