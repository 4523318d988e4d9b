import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../storage/store.ts';
import type { EndpointQuery } from './endpoint-query.ts';
import { readRevision } from './read-body.ts';

/** A long answer and the state of the data that it shows. */
export interface RowsStream {
  readonly revision: string;
  readonly stream: Readable;
}

/** The client's progress is measured by these: as small as what a socket takes at once. */
const chunkBytes = 16_384;

/**
 * Opens an answer that is too long for one body: slice by slice from one snapshot, so that neither
 * memory nor the event loop notices its length. Nothing is read before the snapshot's place is free.
 * The snapshot ends with the stream, also where the client leaves early or takes nothing for `stallMs`.
 */
export async function openRowsStream(
  store: Store,
  query: EndpointQuery,
  { stallMs }: { stallMs: number },
): Promise<RowsStream> {
  const { workspaceId, endpoint, prepared } = query;
  const snapshot = await store.snapshot({ workspaceId });
  let stallTimer: NodeJS.Timeout | undefined;
  try {
    const revision = await readRevision(snapshot.db, workspaceId);
    const slices = prepared.slices({ ...query, db: snapshot.db });
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
        // Until the next part is there, it is not the client that is waited for.
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

async function* textSlices(
  array: string,
  first: readonly unknown[],
  others: AsyncGenerator<readonly unknown[]>,
): AsyncGenerator<Buffer> {
  let separator = `{${JSON.stringify(array)}:[`;
  for await (const rows of followed(first, others)) {
    if (rows.length === 0) continue;
    yield Buffer.from(separator + JSON.stringify(rows).slice(1, -1));
    separator = ',';
  }
  yield Buffer.from(separator === ',' ? ']}' : `${separator}]}`);
}

async function* followed<Item>(first: Item, others: AsyncGenerator<Item>): AsyncGenerator<Item> {
  yield first;
  // A fast client's socket takes every slice at once: without this turn nobody else would get one.
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
