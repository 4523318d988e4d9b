import { CommandError } from '../../problems.ts';
import { peek } from '../../rows/decompress.ts';
import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import type { IngestContext } from './ingest.ts';
import type { LogState } from './log-state.ts';
import { headBytes, whyNoLog } from './why-no-log.ts';

/**
 * Reads a log that comes once, from its beginning to its end: standard input, or a compressed file.
 * `state` is kept with the last hits, once all has been read. If the bytes break off with an error, what
 * came before is kept, and the error thrown.
 */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  context: IngestContext,
  { state }: { state?: LogState } = {},
): Promise<void> {
  const { batchContext, signal, onRead } = context;
  const batch = createBatch(batchContext);
  const feed = createFeed(context, batch);
  const source = untilFailure(chunks);
  const { head, all } = await peek(source.chunks(), headBytes);
  const why = whyNoLog(head);
  if (why !== undefined) throw new CommandError(why);
  for await (const chunk of all) {
    feed.push(chunk);
    onRead(chunk.length);
    if (batch.isFull) await batch.flush();
    if (signal.aborted) break;
  }
  const isWhole = !signal.aborted && source.failure() === undefined;
  if (isWhole) feed.finish();
  await batch.flush(isWhole ? state : undefined);
  if (source.failure() !== undefined) throw source.failure();
}

function untilFailure(all: AsyncIterable<Buffer>) {
  let failure: unknown;
  return { chunks, failure: () => failure };

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* all;
    } catch (error) {
      failure = error;
    }
  }
}
