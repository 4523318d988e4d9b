import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { utcDay } from '../values/time/utc-day.ts';
import type { ServedEndpoint } from './served-endpoints.ts';
import { splitTarget } from './request/split-target.ts';
import type { Admission } from './service/admit-request.ts';
import { connectionLimits } from './service/connection-limits.ts';
import type { Deadline } from './service/deadline.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import type { Metrics } from './service/metrics.ts';
import { negotiateEncoding } from './response/encoding.ts';
import type { Encoding } from './response/encoding.ts';
import { entityTag, matchesTag } from './response/entity-tag.ts';
import type { EndpointQuery } from './response/entity-tag.ts';
import { cachedBody, freshBody } from './response/ready-body.ts';
import type { BodySources } from './response/ready-body.ts';
import { openRowsStream, sendRowsStream } from './response/rows-stream.ts';

/** A request to an endpoint, before the first step. */
interface EndpointRequest {
  readonly served: ServedEndpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request whose key has opened a workspace. */
interface AuthenticatedRequest extends EndpointRequest {
  readonly workspaceId: string;
}

/** A request that the quota has admitted. */
interface AdmittedRequest extends AuthenticatedRequest {
  readonly revision: string;
}

/** A request with valid parameters. */
interface ParsedRequest extends AdmittedRequest {
  readonly query: EndpointQuery;
}

/**
 * A response before it is sent. Without a body it is a 304, because the client has this state
 * already.
 */
interface PreparedResponse {
  readonly tag: string;
  readonly encoding: Encoding;
  readonly body: Buffer | Readable | undefined;
  /** The query of the next page. */
  readonly next?: string | undefined;
}

type Step<From, To> = (from: From) => To | Promise<To>;

/**
 * The steps in order. The types allow no other order, because each step needs the result of the one
 * before.
 */
export type EndpointSteps = readonly [
  authenticate: Step<EndpointRequest, AuthenticatedRequest>,
  spendQuota: Step<AuthenticatedRequest, AdmittedRequest>,
  readParameters: Step<AdmittedRequest, ParsedRequest>,
  respondNotModified: Step<ParsedRequest, PreparedResponse | undefined>,
  respond: Step<ParsedRequest, PreparedResponse>,
];

/** The steps of a request to an endpoint. */
export function createEndpointSteps(
  { clock, limits }: ApiDependencies,
  { admission, sources }: { admission: Admission; sources: BodySources },
) {
  const { stallMs } = { ...connectionLimits, ...limits };
  return {
    authenticate: createAuthenticate(admission),
    spendQuota: createSpendQuota(admission),
    readParameters: createReadParameters(clock),
    respondNotModified: createRespondNotModified(sources),
    respond: createRespond(sources, { stallMs }),
  };
}

/** Makes the step that opens the workspace of the key. */
function createAuthenticate({ openWorkspace }: Admission): EndpointSteps[0] {
  return async function authenticateRequest(received) {
    return { ...received, workspaceId: await openWorkspace(received.request) };
  };
}

/** Makes the step that counts a request against the quota. */
function createSpendQuota({ charge }: Admission): EndpointSteps[1] {
  return async function spendQuota(authenticated) {
    const { served, workspaceId, reply } = authenticated;
    const { revision, headers } = await charge(workspaceId, served.endpoint.name);
    reply.headers(headers);
    return { ...authenticated, revision };
  };
}

/** Throws `invalid_parameter`. */
function createReadParameters(clock: () => number): EndpointSteps[2] {
  return function readParameters(admitted) {
    const { served, request, workspaceId, revision } = admitted;
    const { endpoint, isReport } = served;
    const today = utcDay(clock());
    const { search } = splitTarget(request.originalUrl);
    const prepared = served.prepare(search, today);
    const reportSearch = isReport ? search : undefined;
    return {
      ...admitted,
      query: { endpoint, prepared, reportSearch, workspaceId, today, revision },
    };
  };
}

/** Makes the step that responds without a body if the client has this state already. */
function createRespondNotModified({ contract, metrics }: BodySources): EndpointSteps[3] {
  return function respondNotModified({ query, request }) {
    const tag = entityTag(query, contract);
    if (!matchesTag(request.headers['if-none-match'], tag)) return undefined;
    metrics.countCache('not_modified');
    return { tag, encoding: 'identity', body: undefined };
  };
}

/** Makes the step that reads the rows, as the only one. */
function createRespond(sources: BodySources, { stallMs }: { stallMs: number }): EndpointSteps[4] {
  return async function respond({ query, request }) {
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    const ready =
      cachedBody(query, encoding, sources) ?? (await freshBody(query, encoding, sources));
    if (ready !== undefined) return ready;
    const tag = entityTag(query, sources.contract);
    // For HEAD, the headers of a long response are known without reading it.
    if (request.method === 'HEAD') return { tag, encoding, body: Readable.from([]) };
    const { revision, stream } = await openRowsStream(sources.store, query, { stallMs });
    return { tag: entityTag({ ...query, revision }, sources.contract), encoding, body: stream };
  };
}

const responseHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Accept-Encoding',
};

/** Makes the handler of an endpoint: its steps until the deadline, then the response. */
export function endpointHandler(
  [authenticateRequest, spendQuota, readParameters, respondNotModified, respond]: EndpointSteps,
  {
    store,
    log,
    publicUrl,
    metrics,
    deadline,
  }: Pick<ApiDependencies, 'store' | 'log' | 'publicUrl'> & {
    metrics: Metrics;
    deadline: Deadline;
  },
): (
  served: ServedEndpoint,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return (served) => async (request, reply) => {
    const prepared = prepare({ served, request, reply });
    const { tag, encoding, body, next } = await deadline.waitFor(prepared, discard);
    reply.headers(responseHeaders).header('ETag', tag);
    if (next !== undefined) {
      reply.header('Link', `<${publicUrl()}${served.endpoint.path}${next}>; rel="next"`);
    }
    if (body === undefined) return reply.code(304).send();
    reply.type('application/json; charset=utf-8');
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    if (!(body instanceof Readable)) return reply.send(body);
    return sendRowsStream(body, encoding, { request, reply, store, log, metrics });
  };

  async function prepare(received: EndpointRequest): Promise<PreparedResponse> {
    const parsed = await readParameters(await spendQuota(await authenticateRequest(received)));
    return (await respondNotModified(parsed)) ?? respond(parsed);
  }
}

/** Closes a response that is ready after the deadline, because its snapshot is still open. */
function discard({ body }: PreparedResponse): void {
  if (body instanceof Readable) body.destroy();
}
