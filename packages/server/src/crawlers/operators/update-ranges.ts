import { CommandError } from '../../problems.ts';
import type { Store } from '../../storage/store.ts';
import { findPreviousContent, keepFileVersion } from './file-versions.ts';
import {
  operatorFileBytesMax,
  parseOperatorFile,
  refuseShrunken,
  refuseUnlikely,
} from './operator-file.ts';
import type { OperatorFile } from './operator-file.ts';

/** What became of one file. */
export interface UpdatedFile {
  readonly id: string;
  readonly outcome: 'new' | 'unchanged' | 'failed';
  /** Networks or keys; undefined where it failed. */
  readonly size?: number;
  /** Why it failed, as a sentence. */
  readonly problem?: string;
}

const timeoutMs = 20_000;
const underWayMax = 4;

/**
 * Asks operators for their files and keeps what they return with its time. A file that fails keeps
 * what was known of it, and the others go on.
 */
export async function updateRanges(
  store: Store,
  {
    files,
    fetch,
    clock,
    signal,
    accepted = [],
  }: {
    files: readonly OperatorFile[];
    fetch: typeof globalThis.fetch;
    /** Milliseconds since 1970. */
    clock: () => number;
    signal: AbortSignal;
    /** Ids of lists that may have lost or gained more than is likely. */
    accepted?: readonly string[];
  },
): Promise<UpdatedFile[]> {
  const updated: UpdatedFile[] = [];
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      if (signal.aborted) return;
      const isAccepted = accepted.includes(file.id);
      updated.push(await updateFile(store, file, { fetch, clock, signal, isAccepted }));
    }
  };
  await Promise.all(Array.from({ length: underWayMax }, work));
  return updated.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

interface Work {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly isAccepted: boolean;
}

async function updateFile(store: Store, file: OperatorFile, work: Work): Promise<UpdatedFile> {
  const { id, url } = file;
  try {
    const text = await fetchText(url, work);
    const nowMs = work.clock();
    const { content, size, createdMs } = parseOperatorFile(id, text);
    const previous = await findPreviousContent(store.writer, id, nowMs);
    if (!work.isAccepted) {
      const accept = `overheard ranges update --accept ${id}`;
      refuseUnlikely({ id, content }, previous, accept);
      refuseShrunken({ id, content }, previous, accept);
    }
    // The list was in force from the time that it gives itself.
    const firstMs = Math.min(createdMs ?? nowMs, nowMs);
    const version = { fileId: id, content, firstMs, lastMs: nowMs };
    const isNew = await keepFileVersion(store.writer, version);
    await keepCheck(store, { id, url, nowMs, problem: null });
    return { id, outcome: isNew ? 'new' : 'unchanged', size };
  } catch (error) {
    const problem = sentence(error);
    if (problem === undefined) throw error;
    await keepCheck(store, { id, url, nowMs: work.clock(), problem });
    return { id, outcome: 'failed', problem };
  }
}

async function fetchText(url: string, { fetch, signal }: Work): Promise<string> {
  const response = await fetch(url, {
    headers: { 'user-agent': 'overheard', accept: 'application/json, text/plain;q=0.9, */*;q=0.8' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.ok) return readBody(response);
  await response.body?.cancel();
  throw new CommandError(`It answered with status ${response.status}.`);
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  for await (const chunk of body?.values() ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > operatorFileBytesMax)
      throw new CommandError(`It is larger than ${operatorFileBytesMax / 1e6} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What went wrong with the file, in our words; undefined for what is not the file's fault. */
function sentence(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return `It did not answer within ${timeoutMs / 1000} seconds.`;
  if (error.name === 'AbortError') return 'It was not waited for any longer.';
  return error instanceof TypeError ? 'It could not be reached.' : undefined;
}

async function keepCheck(
  store: Store,
  { id, url, nowMs, problem }: { id: string; url: string; nowMs: number; problem: string | null },
): Promise<void> {
  const row = { url, checked_at: new Date(nowMs).toISOString(), problem };
  await store.writer
    .insertInto('operator_checks')
    .values({ file_id: id, ...row })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet(row))
    .execute();
}
