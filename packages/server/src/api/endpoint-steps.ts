import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chargeQuota } from '../access/quota.ts';
import { authenticate, createLastUse } from '../access/authenticate.ts';
import { createFailureLimit } from '../access/failure-limit.ts';
import { Problem } from '../problems.ts';
import { utcDay } from '../values/time/utc-day.ts';
import type { ServedEndpoint } from './served-endpoints.ts';
import { splitTarget } from './request/split-target.ts';
import { connectionLimits } from './service/connection-limits.ts';
import type { Deadline } from './service/deadline.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import type { Metrics } from './service/metrics.ts';
import { createRareWarning } from './service/rare-warning.ts';
import { negotiateEncoding } from './response/encoding.ts';
import type { Encoding } from './response/encoding.ts';
import { entityTag, matchesTag } from './response/entity-tag.ts';
import type { EndpointQuery } from './response/entity-tag.ts';
import { cachedBody, createBodyCache, freshBody } from './response/ready-body.ts';
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
  dependencies: ApiDependencies,
  { metrics, contract }: { metrics: Metrics; contract: string },
) {
  const { store, readReport, clock, cacheBytes, limits } = dependencies;
  const bodies = createBodyCache({ bytesMax: cacheBytes });
  const sources = { store, readReport, metrics, contract, bodies };
  const { stallMs } = { ...connectionLimits, ...limits };
  return {
    authenticate: createAuthenticate(dependencies),
    spendQuota: createSpendQuota(dependencies, metrics),
    readParameters: createReadParameters(clock),
    respondNotModified: createRespondNotModified(sources),
    respond: createRespond(sources, { stallMs }),
  };
}

/** Opens the workspace of the key. Throws `missing_api_key`, `invalid_api_key` or `too_many_failures`. */
function createAuthenticate(dependencies: ApiDependencies): EndpointSteps[0] {
  const { store, clock } = dependencies;
  const noteFailure = createFailureLimit({ clock });
  const onFailure = createRareWarning('the last use of a key could not be stored', dependencies);
  const noteUse = createLastUse({ store, clock, onFailure });

  return async function authenticateRequest(received) {
    const { request } = received;
    try {
      const access = await authenticate(request.headers.authorization, { store, clock });
      noteUse(access);
      request.workspaceId = access.workspaceId;
      return { ...received, workspaceId: access.workspaceId };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_api_key') throw error;
      const waitSeconds = noteFailure(request.ip);
      if (waitSeconds === undefined) throw error;
      throw new Problem('too_many_failures', 'Too many invalid keys came from this address.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    }
  };
}

/** Makes the step that counts a request against the quota. Throws `rate_limited`. */
function createSpendQuota(dependencies: ApiDependencies, metrics: Metrics): EndpointSteps[1] {
  const { store, quota } = dependencies;
  const warn = createRareWarning('the quota could not be counted', dependencies);

  return async function spendQuota(authenticated) {
    const { served, workspaceId, reply } = authenticated;
    const { revision, headers } = await chargeQuota({
      store,
      workspaceId,
      endpoint: served.endpoint.name,
      quota,
      onFailure: (error) => {
        metrics.countQuotaFailure();
        warn(error);
      },
    });
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
