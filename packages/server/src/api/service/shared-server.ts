import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';

// Importing the module would also load its HTTP client, 3 MB for as long as a server runs.
const { createServer } = process.getBuiltinModule('node:http');

/** Paths of the API, of monitoring and of problem codes. */
const apiPath = /^(?:https?:\/\/[^/?#]*)?\/(?:api(?:\/|$)|errors\/|(?:healthz|readyz|metrics)$)/i;

/** Paths of programs that send bodies, and of documents for them. Every other path is a page's. */
const programPath =
  /^(?:https?:\/\/[^/?#]*)?\/(?:mcp(?:\/|$)|ingest\/|oauth\/(?!authorize$)|\.well-known\/(?:oauth-|fastly\/))/i;

/** The apps that share the listener with the API. */
export interface OtherApps {
  readonly pages?: FastifyInstance | undefined;
  readonly programs?: FastifyInstance | undefined;
}

/** Whether a request target begins like a path of the API, with any text after that. */
export function isOfApi(target: string = ''): boolean {
  return apiPath.test(withoutQuery(target));
}

function withoutQuery(target: string): string {
  return target.split('?')[0] ?? '';
}

/**
 * How long after the signal the last requests are cut off, so that everything ends within 10
 * seconds.
 */
const cutOffMs = 8500;

const bodyTimers = new WeakMap<IncomingMessage, ReturnType<typeof setTimeout>>();

/** Allows the time of an upload for a request's body, because its sender is known by now. */
export function allowUpload(request: IncomingMessage): void {
  clearTimeout(bodyTimers.get(request));
}

/**
 * Limits the time of a body. Node has one limit for all requests, but an upload takes longer than a
 * form.
 */
function limitBody(server: Server, request: IncomingMessage, requestMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  const timer = setTimeout(() => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!request.complete) server.emit('clientError', late, request.socket);
  }, requestMs);
  bodyTimers.set(request, timer);
  request.once('close', () => clearTimeout(timer));
}

/** Makes one listener for all apps, with the limits that Fastify would set on its own server. */
export function createSharedServer(
  { pages, programs }: OtherApps,
  { headersMs, checkMs, keepAliveMs, requestMs, uploadMs, stallMs }: ConnectionLimits,
): FastifyServerFactory {
  return function createShared(handleApi) {
    const server = createServer(
      { requireHostHeader: false, headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
      (request, response) => {
        limitBody(server, request, requestMs);
        if (isOfApi(request.url)) handleApi(request, response);
        else if (programs && programPath.test(withoutQuery(request.url ?? '')))
          programs.routing(request, response);
        else if (pages) pages.routing(request, response);
        else handleApi(request, response);
      },
    );
    server.keepAliveTimeout = keepAliveMs;
    server.requestTimeout = uploadMs;
    server.setTimeout(stallMs);
    return server;
  };
}

/**
 * Stops without dropping an accepted request. For `graceMs` connections are still accepted, served
 * and asked to close; then no new connection is accepted, and open requests may end. Resolves
 * within 9 seconds.
 */
export async function drain(app: FastifyInstance, { graceMs }: { graceMs: number }): Promise<void> {
  await sleep(graceMs);
  const timer = setTimeout(() => app.server.closeAllConnections(), cutOffMs - graceMs);
  await app.close();
  clearTimeout(timer);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
