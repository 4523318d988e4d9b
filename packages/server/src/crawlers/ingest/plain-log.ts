import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Refusal } from '../../refusals.ts';
import { createBatch } from './batch.ts';
import type { IngestContext } from './context.ts';
import { createFeed } from './feed.ts';
import { findUnreadableForm, headBytes } from './log-form.ts';
import { advance, findLogState, fingerprintOf, hasTail, keyOf, readTail } from './log-state.ts';
import type { LogState } from './log-state.ts';

const chunkBytes = 1 << 16;
/** A last line without a newline is read after this time without changes to its file. */
const silenceMs = 3_600_000;

/** A log file that is read on from where it was left, to its end, any number of times. */
export interface PlainLog {
  /** Reads on to the end of the file. Returns whether there was anything to read. */
  read(): Promise<boolean>;
  /** Reads a last line without a newline, because nothing more will be written. */
  finish(): Promise<void>;
  /** Whether a last line waits for its newline. */
  readonly isWaiting: boolean;
  /** Whether the file is still the one that was read, and not another one written over it. */
  isIntact(): Promise<boolean>;
  /** Device and inode. */
  readonly fileKey: string;
  /** How far earlier ingests had read it. */
  readonly resumedAt: number;
  close(): Promise<void>;
}

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
    const form = findUnreadableForm(buffer.subarray(0, bytesRead));
    if (form !== undefined) throw new Refusal('log_unreadable', { form });
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
): Promise<PlainLog> {
  const { identity, clock, optionsKey, signal } = context;
  const fileKey = keyOf(await file.stat({ bigint: true }));
  const known = isFromStart ? undefined : await findResumable(file, context, fileKey);
  const start = known?.readBytes ?? 0;
  const batch = createBatch(context);
  const feed = createFeed(context, batch);
  if (known?.directive) feed.direct(known.directive);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let tail = await readTail(file, start);
  let isIntact = true;
  let storedBytes = start;
  return {
    read,
    finish,
    get isWaiting() {
      return feed.restBytes > 0;
    },
    isIntact: checkIntact,
    fileKey,
    resumedAt: start,
    close: () => file.close(),
  };

  async function read(): Promise<boolean> {
    const before = tail.bytes;
    while (!signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, tail.bytes);
      // Near an end that was reached before, another log may have been written over this one.
      const isNearEnd = tail.bytes === before || bytesRead < chunkBytes;
      if (bytesRead === 0 || (isNearEnd && !(await checkIntact()))) break;
      if (tail.bytes === before) await context.refreshBots();
      const chunk = buffer.subarray(0, bytesRead);
      tail = advance(tail, chunk);
      feed.push(chunk);
      context.onRead(bytesRead);
      if (batch.isFull) await flush();
    }
    if (feed.restBytes > 0 && (await isSilent()) && (await checkIntact())) feed.finish();
    if (start + feed.wholeBytes > storedBytes || !batch.isEmpty) await flush();
    return tail.bytes > before;
  }

  async function finish(): Promise<void> {
    feed.finish();
    await flush();
  }

  async function checkIntact(): Promise<boolean> {
    isIntact &&= await hasTail(file, tail);
    return isIntact;
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
      fingerprint: fingerprintOf(await readTail(file, readBytes), identity),
      directive: feed.directive,
    };
    // Do not store the place in a file that was written over: it is read from its beginning next time.
    await batch.flush((await checkIntact()) ? state : undefined);
    storedBytes = readBytes;
  }
}

/** How far a file had been read, if it is still the same file. */
async function findResumable(
  file: FileHandle,
  { store, workspaceId, identity, optionsKey }: IngestContext,
  fileKey: string,
): Promise<LogState | undefined> {
  const known = await findLogState(store.writer, workspaceId, { fileKey, optionsKey });
  if (known === undefined) return undefined;
  const tail = await readTail(file, known.readBytes);
  return fingerprintOf(tail, identity) === known.fingerprint ? known : undefined;
}
