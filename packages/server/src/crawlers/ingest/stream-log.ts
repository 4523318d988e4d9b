import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import type { IngestContext } from './ingest.ts';
import type { LogState } from './log-state.ts';
import { readTornHits } from './torn-lines.ts';

/**
 * Reads a log that comes once, from its beginning to its end: standard input, or a compressed file.
 * `state` is kept with the last hits, once all has been read.
 */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  { batchContext, options, agents, signal, onRead }: IngestContext,
  { state }: { state?: LogState } = {},
): Promise<void> {
  const batch = createBatch(batchContext);
  const tornHits = await readTornHits(batchContext.store.writer, batchContext.workspaceId);
  const feed = createFeed({ options, agents, batch, tornHits, context: batchContext });
  const read = () => ({ seen: feed.drainSample(), completed: feed.drainCompleted() });
  for await (const chunk of chunks) {
    feed.push(chunk);
    onRead(chunk.length);
    if (batch.isFull) await batch.flush(read());
    if (signal.aborted) break;
  }
  if (!signal.aborted) feed.finish();
  await batch.flush({
    ...read(),
    ...(!signal.aborted && state !== undefined && { state }),
  });
}
