import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { decompress } from '../../rows/decompress.ts';
import { openSource } from '../../rows/source.ts';
import { fingerprintAt } from './file-place.ts';
import type { IngestContext } from './ingest.ts';
import { findLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { keyOf } from './plain-log.ts';
import { readStream } from './stream-log.ts';

/** Whether a log is compressed, by its first bytes; brotli has no mark, but its extension. */
export async function isCompressed(path: string): Promise<boolean> {
  if (/\.br$/i.test(path)) return true;
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const mark = buffer.toString('hex', 0, bytesRead);
    return mark.startsWith('1f8b') || mark === '28b52ffd';
  } finally {
    await file.close();
  }
}

/**
 * Reads a compressed log, which comes from its beginning or not at all: one that has been read to its end
 * and has not changed is left alone, so that a pattern that finds a year of rotated logs costs what is
 * new. Returns whether it was left alone.
 */
export async function readCompressedLog(
  path: string,
  context: IngestContext,
  { fromStart = false }: { fromStart?: boolean } = {},
): Promise<boolean> {
  const state = await currentState(path, context);
  if (!fromStart && (await isKept(state, context))) return true;
  const { name, stream } = await openSource(path, { stdin: Readable.from([]) });
  await readStream(decompress(stream, { name }), context, { state });
  return false;
}

/** What is to be kept when the file has been read as it is now. */
async function currentState(
  path: string,
  { batchContext: { identity }, optionsKey }: IngestContext,
): Promise<LogState> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat({ bigint: true });
    const readBytes = Number(stat.size);
    return {
      fileKey: keyOf(stat),
      optionsKey,
      path,
      readBytes,
      fingerprint: await fingerprintAt(file, readBytes, identity),
      directive: null,
    };
  } finally {
    await file.close();
  }
}

async function isKept(
  state: LogState,
  { batchContext: { store, workspaceId } }: IngestContext,
): Promise<boolean> {
  const known = await findLogState(store.writer, workspaceId, state);
  return known?.readBytes === state.readBytes && known.fingerprint === state.fingerprint;
}
