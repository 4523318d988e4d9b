import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from '../../access/admit.ts';
import { utcDay } from '../../values/utc-day.ts';
import { tagOf } from './endpoint-query.ts';
import type { EndpointQuery } from './endpoint-query.ts';
import { createAuthorize } from '../request/authorize.ts';
import { createBodyCache } from './body-cache.ts';
import type { Deadline } from '../service/deadline.ts';
import { connectionLimits } from '../service/connection-limits.ts';
import type { ApiDependencies } from '../service/dependencies.ts';
import { encodingStream, negotiateEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import { matchesTag } from './etag.ts';
import type { Metrics } from '../service/metrics.ts';
import { createRareWarning } from '../service/rare-warning.ts';
import { cachedBody, freshBody } from './ready-body.ts';
import { openRowsStream } from './rows-stream.ts';
import type { ServedEndpoint } from '../endpoints/served-endpoints.ts';
import { splitTarget } from '../request/target.ts';

const responseHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Accept-Encoding',
};

/** A response before it is sent. Without a body the client has this state already: 304. */
interface PreparedResponse {
  readonly tag: string;
  readonly encoding: Encoding;
  readonly body: Buffer | Readable | undefined;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Makes the handlers of the endpoints: authenticate, spend quota, read the parameters, compare the
 * entity tag, and only then read rows.
 */
export function createResponder(
  dependencies: ApiDependencies,
  { metrics, contract, deadline }: { metrics: Metrics; contract: string; deadline: Deadline },
): (served: ServedEndpoint) => Handler {
  const { store, clock, log, quota, cacheBytes } = dependencies;
  const { stallMs } = { ...connectionLimits, ...dependencies.limits };
  const authorize = createAuthorize(dependencies);
  const warnUncounted = createRareWarning('the quota could not be counted', dependencies);
  const sources = { store, metrics, contract, bodies: createBodyCache({ bytesMax: cacheBytes }) };

  return (served) => async (request, reply) => {
    const { tag, encoding, body } = await deadline.within(prepare(served, request, reply), discard);
    reply.headers(responseHeaders).header('ETag', tag);
    if (body === undefined) return reply.code(304).send();
    reply.type('application/json; charset=utf-8');
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return body instanceof Readable ? sendStream(body, encoding, request, reply) : reply.send(body);
  };

  async function prepare(
    served: ServedEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PreparedResponse> {
    const query = await admitQuery(served, request, reply);
    const tag = tagOf(query, contract);
    if (matchesTag(request.headers['if-none-match'], tag)) {
      metrics.countCache('not_modified');
      return { tag, encoding: 'identity', body: undefined };
    }
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    const ready =
      cachedBody(query, encoding, sources) ?? (await freshBody(query, encoding, sources));
    if (ready !== undefined) return ready;
    // The headers of a long response are known without reading it.
    if (request.method === 'HEAD') return { tag, encoding, body: Readable.from([]) };
    const { revision, stream } = await openRowsStream(store, query, { stallMs });
    return { tag: tagOf({ ...query, revision }, contract), encoding, body: stream };
  }

  async function admitQuery(
    { endpoint, prepare: readParameters }: ServedEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<EndpointQuery> {
    const { workspaceId } = await authorize(request);
    const { revision, headers } = await admit({
      store,
      workspaceId,
      endpoint: endpoint.name,
      quota,
      onFailure: (error) => {
        metrics.countQuotaFailure();
        warnUncounted(error);
      },
    });
    reply.headers(headers);
    return {
      endpoint,
      prepared: readParameters(splitTarget(request.originalUrl).search),
      workspaceId,
      today: utcDay(clock()),
      revision,
    };
  }

  function sendStream(
    stream: Readable,
    encoding: Encoding,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    if (request.method === 'HEAD') {
      stream.destroy();
      return reply.send();
    }
    metrics.openStreams.inc();
    stream.once('close', () => metrics.openStreams.dec());
    stream.once('error', (error) => {
      // The client left: the log has a line that says so.
      if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      // Mapped, so that the store hears of damage that only this answer has met.
      const failure = store.mapFailure(error);
      log.warn({ err: failure, request_id: request.id }, 'a long answer was cut off');
    });
    const encoder = encodingStream(encoding);
    if (encoder === undefined) return reply.send(stream);
    // Either end's failure ends the other; what has been sent is then visibly incomplete.
    return reply.send(pipeline(stream, encoder, () => {}));
  }
}

/** A response that is ready after the deadline still has its snapshot open. */
function discard({ body }: PreparedResponse): void {
  if (body instanceof Readable) body.destroy();
}
