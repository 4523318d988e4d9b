import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../../storage/store.ts';
import type { Metrics } from '../service/metrics.ts';
import { encodingStream } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import type { EndpointQuery } from './entity-tag.ts';
import { readRevision } from './entity-tag.ts';

/** Chunks measure the client's progress, so they are as small as a single write of a socket. */
const chunkBytes = 16_384;

/**
 * Opens a response that is too long for one body: slice by slice from one snapshot, so that its
 * length costs neither memory nor the event loop. Reads nothing before a snapshot is available. The
 * snapshot ends with the stream, also if the client disconnects early or reads nothing for
 * `stallMs`.
 */
export async function openRowsStream(
  store: Store,
  query: EndpointQuery,
  { stallMs }: { stallMs: number },
) {
  const { workspaceId, endpoint, prepared } = query;
  const snapshot = await store.snapshot({ workspaceId });
  let stallTimer: NodeJS.Timeout | undefined;
  try {
    const revision = await readRevision(snapshot.db, workspaceId);
    const slices = prepared.slices?.({ ...query, db: snapshot.db });
    if (slices === undefined) throw new TypeError('The rows fit one body');
    // A failure of the first slice is still a problem document.
    const first = await slices.next();
    const text = textSlices(endpoint.array, first.done === true ? [] : first.value, slices);
    const stream = Readable.from(watchStalls(chunks(text)), {
      objectMode: false,
      highWaterMark: chunkBytes,
    });
    stream.once('close', () => {
      clearTimeout(stallTimer);
      snapshot.release().catch(() => {});
    });
    return { revision, stream };

    async function* watchStalls(parts: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        watch();
        yield part;
        // Stop the timer until the next part is read, because the client is not the slow side then.
        clearTimeout(stallTimer);
      }
      watch();
    }

    function watch(): void {
      stallTimer = setTimeout(() => stream.destroy(new Error('The client stalled')), stallMs);
    }
  } catch (error) {
    await snapshot.release();
    throw error;
  }
}

/**
 * Sends a long response. If it fails on the way, the connection is cut, so that the client sees
 * that it is incomplete.
 */
export function sendRowsStream(
  stream: Readable,
  encoding: Encoding,
  {
    request,
    reply,
    store,
    log,
    metrics,
  }: { request: FastifyRequest; reply: FastifyReply; store: Store; log: Logger; metrics: Metrics },
): FastifyReply {
  if (request.method === 'HEAD') {
    stream.destroy();
    return reply.send();
  }
  metrics.openStreams.inc();
  stream.once('close', () => metrics.openStreams.dec());
  stream.once('error', (error) => {
    // The client disconnected, which the log shows already.
    if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    // Map the error, so that the store learns about damage that only this response has found.
    const failure = store.mapFailure(error);
    log.warn({ err: failure, request_id: request.id }, 'a long response was cut off');
  });
  const encoder = encodingStream(encoding);
  // Use a pipeline, so that a failure at either end stops the other.
  return reply.send(encoder === undefined ? stream : pipeline(stream, encoder, () => {}));
}

async function* textSlices(
  array: string,
  first: readonly unknown[],
  others: AsyncGenerator<readonly unknown[]>,
): AsyncGenerator<Buffer> {
  let separator = `{${JSON.stringify(array)}:[`;
  for await (const rows of prepend(first, others)) {
    if (rows.length === 0) continue;
    yield Buffer.from(separator + JSON.stringify(rows).slice(1, -1));
    separator = ',';
  }
  yield Buffer.from(separator === ',' ? ']}' : `${separator}]}`);
}

async function* prepend<Item>(first: Item, others: AsyncGenerator<Item>): AsyncGenerator<Item> {
  yield first;
  // A fast client's socket accepts every slice at once, so give other requests a turn of the event
  // loop.
  await setImmediate();
  for await (const item of others) {
    yield item;
    await setImmediate();
  }
}

async function* chunks(slices: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const slice of slices) {
    for (let from = 0; from < slice.byteLength; from += chunkBytes) {
      yield slice.subarray(from, from + chunkBytes);
    }
  }
}
