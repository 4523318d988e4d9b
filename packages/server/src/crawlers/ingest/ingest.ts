import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isRefusal, Refusal } from '../../refusals.ts';
import { decompress, isCompressed } from '../../rows/decompress.ts';
import { openSource } from '../../rows/source.ts';
import { settleDays } from '../hits/settle-days.ts';
import type { IngestContext } from './prepare-ingest.ts';
import { openPlainLog } from './plain-log.ts';
import { readCompressedLog, readStream } from './stream-log.ts';

/** A file that could not be read, and why. */
export interface FailedFile {
  readonly path: string;
  readonly why: Refusal;
}

/**
 * Reads log files into hits, or standard input for `-`. Plain files are read on from where they were
 * left. A file that cannot be read does not keep the others from being read. Returns the `resumed` files
 * that were not read from their beginning, and those `waiting` for the newline of their last line.
 */
export async function ingestFiles(
  paths: readonly string[],
  context: IngestContext,
  { stdin, isFromStart = false }: { stdin: Readable; isFromStart?: boolean },
) {
  const failed: FailedFile[] = [];
  const resumed: string[] = [];
  const waiting: string[] = [];
  for (const path of paths) {
    if (context.signal.aborted) break;
    try {
      const file = await ingestFile(path, context, { stdin, isFromStart });
      if (file.isResumed) resumed.push(path);
      if (file.isWaiting === true) waiting.push(path);
    } catch (error) {
      failed.push({ path, why: whyUnreadable(error, path) });
    }
  }
  await settleDays(context.store, context.workspaceId);
  return { summary: context.tally.summarise(), failed, resumed, waiting };
}

async function ingestFile(
  path: string,
  context: IngestContext,
  { stdin, isFromStart }: { stdin: Readable; isFromStart: boolean },
): Promise<{ readonly isResumed: boolean; readonly isWaiting?: boolean }> {
  // A pipe may have a name: `/dev/stdin`, or what a shell makes of `<(zcat access.log.gz)`.
  if (path === '-' || (await isPipe(path))) {
    const { name, stream } = await openSource(path, { stdin });
    await readStream(decompress(stream, { name }), context);
    return { isResumed: false };
  }
  if (await isCompressed(path)) {
    return { isResumed: await readCompressedLog(path, context, { isFromStart }) };
  }
  const log = await openPlainLog(path, context, { isFromStart });
  try {
    await log.read();
    return { isResumed: log.resumedAt > 0, isWaiting: log.isWaiting };
  } finally {
    await log.close();
  }
}

async function isPipe(path: string): Promise<boolean> {
  const stats = await stat(path);
  return !stats.isFile() && !stats.isDirectory();
}

/** Why a file cannot be read. Throws an error that does not come from the file. */
export function whyUnreadable(error: unknown, path: string): Refusal {
  if (isRefusal(error)) return error;
  const isFromFile = error instanceof Error && 'syscall' in error && 'code' in error;
  if (!isFromFile) throw error;
  const errno = String(error.code);
  return errno === 'EISDIR'
    ? new Refusal('file_is_folder', { path })
    : new Refusal('file_unreadable', { path, errno });
}
