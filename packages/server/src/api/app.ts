import type { FastifyInstance } from 'fastify';
import { endpointHandler } from './endpoint-steps.ts';
import { createDeadline } from './service/deadline.ts';
import { createDescription } from './response/description.ts';
import type { ApiDependencies, LocalRead, LocalResponse } from './service/dependencies.ts';
import { createMetrics } from './service/metrics.ts';
import { logRequests } from './request/request-log.ts';
import { plainRoutes } from './plain-routes.ts';
import { createAdmission } from './service/admit-request.ts';
import { cachedBody, createBodyCache, freshBody } from './response/ready-body.ts';
import { respondToFailures } from './response/failures.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { createPipeline } from './pipeline.ts';
import fastify from 'fastify';
import { createSharedServer, isOfApi } from './service/shared-server.ts';
import type { OtherApps } from './service/shared-server.ts';
import { connectionLimits } from './service/connection-limits.ts';
import {
  createRewriteUrl,
  hasBody,
  meetsExpectations,
  newRequestId,
} from './request/request-steps.ts';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Problem } from '../problems.ts';
import { closeAfterResponse, endAfterClient, isClosing } from './service/closing-connections.ts';
import { problemResponse } from './response/problem-response.ts';
import { addAbortSignal, Readable } from 'node:stream';
import { utcDay } from '../values/time/utc-day.ts';
import type { Admission } from './service/admit-request.ts';
import { entityTag } from './response/entity-tag.ts';
import type { EndpointQuery } from './response/entity-tag.ts';
import type { BodySources } from './response/ready-body.ts';
import { openRowsStream } from './response/rows-stream.ts';

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

/** The HTTP server without steps and routes: limits, exact paths, and responses to malformed requests. */
function createHttpServer(
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

// Importing the module would also load its HTTP client, 3 MB for as long as a server runs.
const { IncomingMessage, STATUS_CODES, ServerResponse } = process.getBuiltinModule('node:http');

/**
 * Responds with a problem document to bytes that could not be parsed as a request. Then ends the
 * connection, because it is unknown where the next request would begin. Earlier requests on the
 * same connection get their responses first.
 */
function respondToClientError(
  error: Error & { code?: string },
  socket: Duplex,
  { log, clock, publicUrl }: { log: Logger; clock: () => number; publicUrl: () => string },
): void {
  if (isClosing(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  closeAfterResponse(socket);
  const requestId = randomUUID();
  const { status, headers, body } = problemResponse(clientProblem(error.code), {
    publicUrl: publicUrl(),
    requestId,
  });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date(clock()).toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  afterEarlierResponses(socket, () => {
    log.info({ request_id: requestId, status, address: addressOf(socket) }, 'unreadable request');
    endAfterClient(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(
      'headers_too_large',
      'The request line and headers are over 16 KiB, or too many.',
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'The request was not complete in time.');
  }
  return new Problem('invalid_request', 'The request is not well-formed HTTP.');
}

function isComplete(request: unknown): boolean {
  return request instanceof IncomingMessage && request.complete;
}

/** Waits for the response that is being sent, because writing in between would corrupt it. */
function afterEarlierResponses(socket: Duplex, write: () => void): void {
  const response = '_httpMessage' in socket ? socket._httpMessage : undefined;
  // The response to a request whose body did not arrive has not begun, and would never finish.
  const isBegun =
    response instanceof ServerResponse && (response.headersSent || isComplete(response.req));
  if (isBegun) {
    response.once('finish', () => afterEarlierResponses(socket, write));
  } else if (socket.writable) {
    write();
  }
}

function addressOf(socket: Duplex): unknown {
  return 'remoteAddress' in socket ? socket.remoteAddress : undefined;
}

/** Reads endpoints for a program in this process: the steps of a request, without HTTP. */
function createLocalReads(
  { clock, limits }: ApiDependencies,
  { admission, sources }: { admission: Admission; sources: BodySources },
): (read: LocalRead) => Promise<LocalResponse> {
  const { stallMs } = { ...connectionLimits, ...limits };

  return async function readLocally({ workspaceId, endpoint: name, search, knownTag, signal }) {
    const served = servedEndpoints.find(({ endpoint }) => endpoint.name === name);
    if (served === undefined) throw new TypeError(`There is no endpoint ${name}.`);
    const { endpoint, prepare, isReport } = served;
    const { revision, quota } = await admission.charge(workspaceId, name);
    const today = utcDay(clock());
    const query: EndpointQuery = {
      endpoint,
      prepared: prepare(search, today),
      reportSearch: isReport ? search : undefined,
      workspaceId,
      today,
      revision,
    };
    const tag = entityTag(query, sources.contract);
    if (tag === knownTag) {
      sources.metrics.countCache('not_modified');
      return { tag, quota, body: undefined };
    }
    const ready =
      cachedBody(query, 'identity', sources) ?? (await freshBody(query, 'identity', sources));
    if (ready !== undefined) return { ...ready, quota, body: Readable.from([ready.body]) };
    signal.throwIfAborted();
    const long = await openRowsStream(sources.store, query, { stallMs });
    const body = addAbortSignal(signal, long.stream);
    return { tag: entityTag({ ...query, revision: long.revision }, sources.contract), quota, body };
  };
}
