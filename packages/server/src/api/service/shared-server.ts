import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';

// An import would load what the module has for clients as well: 3 MB for as long as a server runs.
const { createServer } = process.getBuiltinModule('node:http');

/** Paths of the API, of monitoring and of problem codes. Every other path is a page's. */
const apiPath =
  /^(?:https?:\/\/[^/?#]*)?\/(?:api(?:\/|$)|errors\/|(?:healthz|readyz|metrics|mcp)$)/i;

/** Whether a request target begins like one of the API's, in any spelling after that. */
export function isOfApi(target: string = ''): boolean {
  return apiPath.test(target.split('?')[0] ?? '');
}

/** One listener for two apps, with the limits that Fastify sets on a server of its own. */
export function createSharedServer(
  pages: FastifyInstance,
  { headersMs, checkMs, keepAliveMs, requestMs, stallMs }: ConnectionLimits,
): FastifyServerFactory {
  return function createShared(handleApi) {
    const server = createServer(
      { requireHostHeader: false, headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
      (request, response) => {
        if (isOfApi(request.url)) handleApi(request, response);
        else pages.routing(request, response);
      },
    );
    server.keepAliveTimeout = keepAliveMs;
    server.requestTimeout = requestMs;
    server.setTimeout(stallMs);
    return server;
  };
}
