import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../storage/store.ts';
import type { Asked } from './asked.ts';
import type { Reading } from './endpoint.ts';
import { readRevision } from './read-body.ts';
import type { FirstPage } from './read-body.ts';
import type { Page } from './served-endpoints.ts';

/** A long answer and the state of the data that it shows. */
export interface RowsStream {
  readonly revision: string;
  readonly stream: Readable;
}

/**
 * Opens an answer that is too long for one statement: slice by slice from one snapshot, so that
 * neither memory nor the event loop notices its length. `first` is its beginning, unless a write
 * came in between. The snapshot ends with the stream, also where the client leaves early or takes
 * longer than `stallMs` for a slice.
 */
export async function openRowsStream(
  store: Store,
  asked: Asked,
  { first, stallMs }: { first: FirstPage; stallMs: number },
): Promise<RowsStream> {
  const snapshot = await store.snapshot({ workspaceId: asked.workspaceId });
  let stallTimer: NodeJS.Timeout | undefined;
  try {
    const revision = await readRevision(snapshot.db, asked.workspaceId);
    const reading = { ...asked, db: snapshot.db };
    const page = first.revision === revision ? first.page : await asked.prepared.read(reading);
    const stream = Readable.from(watchStalls(textSlices(reading, page)), {
      objectMode: false,
      highWaterMark: 65_536,
    });
    stream.once('close', () => {
      clearTimeout(stallTimer);
      snapshot.release().catch(() => {});
    });
    return { revision, stream };

    async function* watchStalls(slices: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
      for await (const slice of slices) {
        clearTimeout(stallTimer);
        stallTimer = setTimeout(() => stream.destroy(new Error('The client stalled')), stallMs);
        yield slice;
      }
    }
  } catch (error) {
    await snapshot.release();
    throw error;
  }
}

async function* textSlices(
  { endpoint, ...reading }: Asked & Reading,
  first: Page,
): AsyncGenerator<Buffer> {
  let page: Page | undefined = first;
  let separator = `{${JSON.stringify(endpoint.array)}:[`;
  while (page !== undefined) {
    if (page.rows.length > 0) {
      yield Buffer.from(separator + JSON.stringify(page.rows).slice(1, -1));
      separator = ',';
    }
    // A fast client's socket takes every slice at once: without this turn nobody else would get one.
    await setImmediate();
    page = await page.next?.(reading);
  }
  yield Buffer.from(separator === ',' ? ']}' : `${separator}]}`);
}
