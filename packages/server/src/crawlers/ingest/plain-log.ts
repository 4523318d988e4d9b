import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { findLogState, isSameFile, readEdges } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import type { IngestContext } from './ingest.ts';
import { rememberEdges } from './read-edges.ts';
import { readTornHits } from './torn-lines.ts';

/** What is read of a file at once: every time is a turn of the event loop. */
const readBytesMax = 1 << 18;

/** A log file that is read from where it was left, as far as it goes, any number of times. */
export interface PlainLog {
  /**
   * Reads on to the end of the file. With `isLast` a last line without a newline is taken too, and
   * again, whole, when the file has grown. Returns whether there was anything to read.
   */
  read(options?: { isLast?: boolean }): Promise<boolean>;
  /** Whether the file still is what was read of it, and not cut and written anew. */
  isIntact(): Promise<boolean>;
  /** Device and inode. */
  readonly fileKey: string;
  /** Whether it had been read before, and how far. */
  readonly resumedAt: number;
  close(): Promise<void>;
}

/** Opens a log file; `fromStart` forgets how far it had been read. */
export async function openPlainLog(
  path: string,
  context: IngestContext,
  { fromStart = false }: { fromStart?: boolean } = {},
): Promise<PlainLog> {
  const file = await open(path, 'r');
  try {
    return await openLog(file, path, context, fromStart);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openLog(
  file: FileHandle,
  path: string,
  context: IngestContext,
  fromStart: boolean,
): Promise<PlainLog> {
  const { batchContext, options, optionsKey, agents } = context;
  const fileKey = keyOf(await file.stat({ bigint: true }));
  const known = fromStart ? undefined : await resumable(file, context, fileKey);
  const start = known?.readBytes ?? 0;
  const batch = createBatch(batchContext);
  const { store, workspaceId, identity } = batchContext;
  const tornHits = await readTornHits(store.writer, workspaceId);
  const feed = createFeed({ options, agents, batch, tornHits, context: batchContext });
  const directive = known?.directive ?? null;
  if (directive !== null) feed.direct(directive);
  const edges = await rememberEdges(file, start);
  const buffer = Buffer.allocUnsafe(readBytesMax);
  let position = start;
  let keptBytes = start;
  return {
    read,
    isIntact: edges.areThere,
    fileKey,
    resumedAt: start,
    close: () => file.close(),
  };

  async function read({ isLast = false }: { isLast?: boolean } = {}): Promise<boolean> {
    const before = position;
    while (!context.signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, readBytesMax, position);
      if (bytesRead === 0) break;
      if (position === before) await context.takeUpBots();
      position += bytesRead;
      edges.note(buffer.subarray(0, bytesRead));
      feed.push(buffer.subarray(0, bytesRead));
      context.onRead(bytesRead);
      // What stands behind an end that was reached may be another log's: the end is looked at before.
      if (bytesRead < readBytesMax) await edges.areThere();
      if (batch.isFull) await flush();
    }
    if (isLast) feed.takeUnfinished();
    const hasMore = start + feed.wholeBytes > keptBytes || !batch.isEmpty;
    if (hasMore) await flush();
    return position > before;
  }

  async function flush(): Promise<void> {
    const readBytes = start + feed.wholeBytes;
    const state: LogState = {
      fileKey,
      optionsKey,
      path,
      readBytes,
      ...(await readEdges(file, readBytes, identity)),
      directive: feed.directive,
    };
    const completed = feed.drainCompleted();
    const seen = feed.drainSample();
    // A file that was cut and written anew while it was read is another one: it is read from its beginning.
    const isWhole = await edges.areThere();
    await batch.flush({ completed, seen, ...(isWhole && { state }) });
    keptBytes = readBytes;
  }
}

async function resumable(
  file: FileHandle,
  { batchContext: { store, workspaceId, identity }, optionsKey }: IngestContext,
  fileKey: string,
): Promise<LogState | undefined> {
  const known = await findLogState(store.writer, workspaceId, { fileKey, optionsKey });
  return known !== undefined && (await isSameFile(file, known, identity)) ? known : undefined;
}

/** Names a file whatever it is called. */
export function keyOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}
