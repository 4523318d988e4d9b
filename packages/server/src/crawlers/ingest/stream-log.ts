import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import type { IngestContext } from './ingest.ts';
import type { LogState } from './log-state.ts';

/**
 * Reads a log that comes once, from its beginning to its end: standard input, or a compressed file.
 * `state` is kept with the last hits, once all has been read.
 */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  context: IngestContext,
  { state }: { state?: LogState } = {},
): Promise<void> {
  const { batchContext, signal, onRead } = context;
  const batch = createBatch(batchContext);
  const feed = createFeed(context, batch);
  for await (const chunk of chunks) {
    feed.push(chunk);
    onRead(chunk.length);
    if (batch.isFull) await batch.flush();
    if (signal.aborted) break;
  }
  if (!signal.aborted) feed.finish();
  await batch.flush(signal.aborted ? undefined : state);
}
