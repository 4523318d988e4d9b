import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { IngestContext } from './prepare-ingest.ts';
import { createFeed } from './feed.ts';
import { headBytes, refuseUnreadable } from './refuse-unreadable.ts';
import { findResumable, fingerprintOf, fileKeyOf, readTail, tailBytes } from './log-state.ts';

const chunkBytes = 1 << 16;
/** A last line without a newline is read after this time without changes to its file. */
const silenceMs = 3_600_000;

/** A log file that is read on from where it was left, to its end, any number of times. */
export type PlainLog = Awaited<ReturnType<typeof openLog>>;

/** Opens a log file. With `isFromStart` it is read from its beginning, however far it was read before. */
export async function openPlainLog(
  path: string,
  context: IngestContext,
  {
    isFromStart = false,
    name = path,
  }: {
    isFromStart?: boolean;
    /** The log's path before it was rotated. */
    name?: string;
  } = {},
): Promise<PlainLog> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    refuseUnreadable(buffer.subarray(0, bytesRead));
    return await openLog(file, name, context, isFromStart);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openLog(
  file: FileHandle,
  path: string,
  context: IngestContext,
  isFromStart: boolean,
) {
  const { identity, clock, optionsKey, signal } = context;
  const fileKey = fileKeyOf(await file.stat({ bigint: true }));
  const state = isFromStart ? undefined : await findResumable(file, fileKey, context);
  const start = state?.read_bytes ?? 0;
  const feed = createFeed(context);
  const { splitter, reader, batch } = feed;
  if (state?.directive) reader.readDirective(state.directive);
  const buffer = Buffer.allocUnsafe(tailBytes + chunkBytes);
  let position = start;
  let storedBytes = start;
  /** The last bytes before `position`, and those before the end of the last whole line. */
  let tail = await readTail(file, start);
  let wholeTail = tail;
  let isIntact = true;
  return {
    read,
    finish,
    /** Whether a last line waits for its newline. */
    get isWaiting() {
      return splitter.restBytes > 0;
    },
    /** False once `read` found that another log was written over this one. */
    get isIntact() {
      return isIntact;
    },
    fileKey,
    /** How far earlier ingests had read it. */
    resumedAt: start,
    close: () => file.close(),
  };

  /** Reads on to the end of the file. Returns whether there was anything to read. */
  async function read(): Promise<boolean> {
    const before = position;
    while (!signal.aborted) {
      // Read the last bytes again, because another log may have been written over this one.
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position - tail.length);
      const bytes = buffer.subarray(0, bytesRead);
      isIntact &&= tail.equals(bytes.subarray(0, tail.length));
      if (!isIntact || bytesRead === tail.length) break;
      if (position === before) await context.refresh({ isForNewBots: true });
      await take(bytes);
      if (batch.isFull) await flush();
    }
    if (isIntact && splitter.restBytes > 0 && (await isSilent())) await finishLine();
    if (start + splitter.wholeBytes > storedBytes || !batch.isEmpty) await flush();
    return position > before;
  }

  /** Takes the bytes that follow the tail. */
  async function take(bytes: Buffer): Promise<void> {
    const chunk = bytes.subarray(tail.length);
    const end = bytes.lastIndexOf('\n') + 1;
    if (end > tail.length) wholeTail = Buffer.from(bytes.subarray(0, end).subarray(-tailBytes));
    tail = Buffer.from(bytes.subarray(-tailBytes));
    position += chunk.length;
    await feed.push(chunk);
    context.onRead(chunk.length);
  }

  /** Reads a last line without a newline, because nothing more will be written. */
  async function finish(): Promise<void> {
    await finishLine();
    await flush();
  }

  async function finishLine(): Promise<void> {
    await feed.finish();
    wholeTail = tail;
  }

  async function isSilent(): Promise<boolean> {
    const { mtimeMs } = await file.stat();
    return clock() - mtimeMs >= silenceMs;
  }

  async function flush(): Promise<void> {
    storedBytes = start + splitter.wholeBytes;
    await batch.flush({
      file_key: fileKey,
      options_key: optionsKey,
      path,
      read_bytes: storedBytes,
      fingerprint: fingerprintOf(wholeTail, identity),
      directive: reader.directive,
    });
  }
}
