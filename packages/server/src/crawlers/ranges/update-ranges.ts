import { createHash } from 'node:crypto';
import { CommandError } from '../../problems.ts';
import type { Store } from '../../storage/store.ts';
import { findPreviousContent, keepFileVersion } from './operator-files.ts';
import {
  operatorFileBytesMax,
  parseOperatorFile,
  refuseShrunken,
  refuseUnlikely,
  sizeOf,
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
  const before = await selectCheck(store, id);
  const isSameUrl = before?.url === url;
  const tags = isSameUrl ? { etag: before.etag, last_modified: before.last_modified } : noTags;
  try {
    const answer = await ask(url, { ...work, ...tags });
    const nowMs = work.clock();
    const kept = answer.body === undefined ? await selectContent(store, before) : undefined;
    const previous = await findPreviousContent(store.writer, id, nowMs);
    const body = answer.body === undefined ? kept : parseBody(id, answer.body, previous, work);
    if (body === undefined) throw new CommandError('It answered 304 to what is not here.');
    const isNew = await keepFileVersion(store.writer, {
      fileId: id,
      content: body,
      firstMs: nowMs,
      lastMs: nowMs,
    });
    await keepCheck(store, { id, url, nowMs, content: body, problem: null, ...answer });
    return { id, outcome: isNew ? 'new' : 'unchanged', size: sizeOf(id, body) };
  } catch (error) {
    const problem = sentence(error);
    if (problem === undefined) throw error;
    await keepProblem(store, { id, url, nowMs: work.clock(), problem });
    return { id, outcome: 'failed', problem };
  }
}

function parseBody(
  id: string,
  text: string,
  previous: string | undefined,
  { isAccepted }: Work,
): string {
  const { content } = parseOperatorFile(id, text);
  if (isAccepted) return content;
  const accept = `overheard ranges update --accept ${id}`;
  refuseUnlikely({ id, content }, previous, accept);
  refuseShrunken({ id, content }, previous, accept);
  return content;
}

interface Tags {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

const noTags: Tags = { etag: null, last_modified: null };

/** `body` is undefined where nothing has changed since the tags. */
async function ask(
  url: string,
  { fetch, signal, etag, last_modified }: Work & Tags,
): Promise<Tags & { readonly body: string | undefined }> {
  const response = await fetch(url, {
    headers: {
      'user-agent': 'overheard',
      ...(etag !== null && { 'if-none-match': etag }),
      ...(last_modified !== null && { 'if-modified-since': last_modified }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.status === 304) {
    await response.body?.cancel();
    return { body: undefined, etag, last_modified };
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new CommandError(`It answered with status ${response.status}.`);
  }
  const body = await readBody(response);
  return {
    body,
    etag: response.headers.get('etag'),
    last_modified: response.headers.get('last-modified'),
  };
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

async function selectCheck(store: Store, id: string) {
  return store.writer
    .selectFrom('operator_checks')
    .selectAll()
    .where('file_id', '=', id)
    .executeTakeFirst();
}

async function selectContent(
  store: Store,
  check: { file_id: string; content_hash: string | null } | undefined,
): Promise<string | undefined> {
  if (check === undefined || check.content_hash === null) return undefined;
  const row = await store.writer
    .selectFrom('operator_files')
    .select('content')
    .where('file_id', '=', check.file_id)
    .where('content_hash', '=', check.content_hash)
    .executeTakeFirst();
  return row?.content;
}

async function keepCheck(
  store: Store,
  {
    id,
    url,
    nowMs,
    content,
    problem,
    etag,
    last_modified,
  }: Tags & { id: string; url: string; nowMs: number; content: string; problem: string | null },
): Promise<void> {
  const row = {
    url,
    etag,
    last_modified,
    content_hash: createHash('sha256').update(content).digest('hex'),
    checked_at: new Date(nowMs).toISOString(),
    problem,
  };
  await store.writer
    .insertInto('operator_checks')
    .values({ file_id: id, ...row })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet(row))
    .execute();
}

async function keepProblem(
  store: Store,
  { id, url, nowMs, problem }: { id: string; url: string; nowMs: number; problem: string },
): Promise<void> {
  const checkedAt = new Date(nowMs).toISOString();
  await store.writer
    .insertInto('operator_checks')
    .values({ file_id: id, url, checked_at: checkedAt, problem })
    .onConflict((conflict) =>
      conflict.column('file_id').doUpdateSet({ checked_at: checkedAt, problem }),
    )
    .execute();
}
