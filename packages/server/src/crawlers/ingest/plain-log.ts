import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { CommandError } from '../../problems.ts';
import { createBatch } from './batch.ts';
import { createFeed } from './feed.ts';
import { fingerprintAt, placeIn } from './file-place.ts';
import type { IngestContext } from './ingest.ts';
import { findLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { headBytes, whyNoLog } from './why-no-log.ts';

/** What is read of a file at once: every time is a turn of the event loop. */
const readBytesMax = 1 << 18;
/** A last line without a newline is read once nothing has been added to its file for so long. */
const silenceMs = 3_600_000;

/** A log file that is read from where it was left, as far as it goes, any number of times. */
export interface PlainLog {
  /** Reads on to the end of the file. Returns whether there was anything to read. */
  read(): Promise<boolean>;
  /** Takes a last line without a newline: nothing will be added any more. */
  finish(): Promise<void>;
  /** Whether a last line waits for its newline. */
  readonly isWaiting: boolean;
  /** Whether the file still is the one that was read, and not one written over it. */
  isIntact(): Promise<boolean>;
  /** Device and inode. */
  readonly fileKey: string;
  /** How far it had been read before; 0 if it had not. */
  readonly resumedAt: number;
  close(): Promise<void>;
}

/** Opens a log file; `fromStart` forgets how far it had been read. */
export async function openPlainLog(
  path: string,
  context: IngestContext,
  {
    fromStart = false,
    name = path,
  }: {
    fromStart?: boolean;
    /** What the log is called when it is not rotated. */
    name?: string;
  } = {},
): Promise<PlainLog> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const why = whyNoLog(buffer.subarray(0, bytesRead));
    if (why !== undefined) throw new CommandError(why);
    return await openLog(file, name, context, fromStart);
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
  const { batchContext, optionsKey } = context;
  const { identity, clock } = batchContext;
  const fileKey = keyOf(await file.stat({ bigint: true }));
  const known = fromStart ? undefined : await resumable(file, context, fileKey);
  const start = known?.readBytes ?? 0;
  const batch = createBatch(batchContext);
  const feed = createFeed(context, batch);
  const directive = known?.directive ?? null;
  if (directive !== null) feed.direct(directive);
  const place = await placeIn(file, start);
  const buffer = Buffer.allocUnsafe(readBytesMax);
  let keptBytes = start;
  return {
    read,
    finish,
    get isWaiting() {
      return feed.restBytes > 0;
    },
    isIntact: place.isIntact,
    fileKey,
    resumedAt: start,
    close: () => file.close(),
  };

  async function read(): Promise<boolean> {
    const before = place.bytes;
    while (!context.signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, readBytesMax, place.bytes);
      if (bytesRead === 0) break;
      if (place.bytes === before) await context.takeUpBots();
      const chunk = buffer.subarray(0, bytesRead);
      place.advance(chunk);
      feed.push(chunk);
      context.onRead(bytesRead);
      // Bytes behind an end that was reached may be another log's: check what stands before them.
      if (bytesRead < readBytesMax) await place.isIntact();
      if (batch.isFull) await flush();
    }
    if (feed.restBytes > 0 && (await isSilent()) && (await place.isIntact())) feed.finish();
    if (start + feed.wholeBytes > keptBytes || !batch.isEmpty) await flush();
    return place.bytes > before;
  }

  async function finish(): Promise<void> {
    feed.finish();
    await flush();
  }

  async function isSilent(): Promise<boolean> {
    const { mtimeMs } = await file.stat();
    return clock() - mtimeMs >= silenceMs;
  }

  async function flush(): Promise<void> {
    const readBytes = start + feed.wholeBytes;
    const state: LogState = {
      fileKey,
      optionsKey,
      path,
      readBytes,
      fingerprint: await fingerprintAt(file, readBytes, identity),
      directive: feed.directive,
    };
    // A file that was written over while it was read is another one: it is read from its beginning.
    await batch.flush((await place.isIntact()) ? state : undefined);
    keptBytes = readBytes;
  }
}

async function resumable(
  file: FileHandle,
  { batchContext: { store, workspaceId, identity }, optionsKey }: IngestContext,
  fileKey: string,
): Promise<LogState | undefined> {
  const known = await findLogState(store.writer, workspaceId, { fileKey, optionsKey });
  if (known === undefined) return undefined;
  const now = await fingerprintAt(file, known.readBytes, identity);
  return now === known.fingerprint ? known : undefined;
}

/** Names a file whatever it is called. */
export function keyOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}
