import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from '../access/admit.ts';
import { tagOf } from './asked.ts';
import type { Asked } from './asked.ts';
import { createAuthorize } from './authorize.ts';
import { createBodyCache } from './body-cache.ts';
import type { Deadline } from './deadline.ts';
import type { ApiDependencies } from './dependencies.ts';
import { encodingStream, negotiateEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import { matchesTag } from './etag.ts';
import type { Metrics } from './metrics.ts';
import { cachedBody, freshBody } from './ready-body.ts';
import { openRowsStream } from './rows-stream.ts';
import type { ServedEndpoint } from './served-endpoints.ts';
import { splitTarget } from './target.ts';

const answerHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Accept-Encoding',
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes the handlers of the five endpoints: key, quota, query, tag, and only then rows. */
export function createAnswer(
  dependencies: ApiDependencies,
  { metrics, contract, deadline }: { metrics: Metrics; contract: string; deadline: Deadline },
): (served: ServedEndpoint) => Handler {
  const { store, clock, log, quota, cacheBytes } = dependencies;
  const authorize = createAuthorize(dependencies);
  const sources = { store, metrics, contract, bodies: createBodyCache({ bytesMax: cacheBytes }) };

  return (served) => async (request, reply) => {
    const asked = await deadline.within(ask(served, request, reply));
    const tag = tagOf(asked, contract);
    reply.headers(answerHeaders);
    if (matchesTag(request.headers['if-none-match'], tag)) {
      metrics.countCache('not_modified');
      return reply.header('ETag', tag).code(304).send();
    }
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    const ready =
      cachedBody(asked, encoding, sources) ??
      (await deadline.within(freshBody(asked, encoding, sources)));
    if (ready === undefined) return sendStream(asked, encoding, request, reply);
    setEncoding(reply, ready.encoding);
    return reply.header('ETag', ready.tag).send(ready.body);
  };

  async function ask(
    { endpoint, prepare }: ServedEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Asked> {
    const { workspaceId } = await authorize(request);
    const { revision, headers } = await admit({
      store,
      workspaceId,
      endpoint: endpoint.name,
      quota,
      onFailure: (error) => {
        metrics.countQuotaFailure();
        log.warn({ err: error, request_id: request.id }, 'the quota could not be counted');
      },
    });
    reply.headers(headers);
    return {
      endpoint,
      prepared: prepare(splitTarget(request.originalUrl).search),
      workspaceId,
      today: new Date(clock()).toISOString().slice(0, 10),
      revision,
    };
  }

  async function sendStream(
    asked: Asked,
    encoding: Encoding,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { revision, stream } = await openRowsStream(store, asked);
    reply.header('ETag', tagOf({ ...asked, revision }, contract));
    setEncoding(reply, encoding);
    if (request.method === 'HEAD') {
      stream.destroy();
      return reply.send();
    }
    metrics.openStreams.inc();
    stream.once('close', () => metrics.openStreams.dec());
    const encoder = encodingStream(encoding);
    if (encoder === undefined) return reply.send(stream);
    // Either end's failure ends the other; what has been sent is then visibly incomplete.
    return reply.send(pipeline(stream, encoder, () => {}));
  }
}

function setEncoding(reply: FastifyReply, encoding: Encoding): void {
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
}
