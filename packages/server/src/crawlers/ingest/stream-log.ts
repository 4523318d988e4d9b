import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import type { IngestContext } from './ingest.ts';
import type { LogState } from './log-state.ts';
import { batchHits } from './plain-log.ts';

/**
 * Reads a log that comes once, from its beginning to its end: standard input, or a compressed file.
 * `state` is kept with the last hits, once all has been read.
 */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  { batchContext, options, recognise, signal, onRead }: IngestContext,
  { state }: { state?: LogState } = {},
): Promise<void> {
  const batch = createBatch(batchContext);
  const feed = createFeed({ options, recognise, batch, context: batchContext });
  for await (const chunk of chunks) {
    feed.push(chunk);
    onRead(chunk.length);
    if (batch.size >= batchHits) await batch.flush({ seen: feed.drainSample() });
    if (signal.aborted) break;
  }
  if (!signal.aborted) feed.finish();
  await batch.flush({
    seen: feed.drainSample(),
    ...(!signal.aborted && state !== undefined && { state }),
  });
}
