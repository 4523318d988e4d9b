import { isRefusal, Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { MalformedList } from './list-file.ts';
import { keepOperatorFile, readOperatorFile } from './operator-file.ts';
import type { OperatorFile } from './operator-file.ts';

/** What became of a file: the number of its networks or keys, or as a sentence why it failed. */
export type UpdatedFile = Awaited<ReturnType<typeof updateFile>>;

const timeoutSeconds = 20;
const underWayMax = 4;

interface UpdateOptions {
  readonly files: readonly OperatorFile[];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Puts a refusal into words, which are stored with the file. */
  readonly words: (refusal: Refusal) => string;
  /** Ids of lists that may grow or shrink more than is likely. */
  readonly accepted?: readonly string[];
}

/**
 * Fetches operators' files and stores each with the time at which it was in force. A file that fails
 * keeps its earlier versions and does not stop the others.
 */
export async function updateRanges(store: Store, options: UpdateOptions): Promise<UpdatedFile[]> {
  const updated: UpdatedFile[] = [];
  const waiting = options.files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      if (options.signal.aborted) return;
      updated.push(await updateFile(store, file, options));
    }
  };
  await Promise.all(Array.from({ length: underWayMax }, work));
  return updated.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

async function updateFile(store: Store, { id, url }: OperatorFile, options: UpdateOptions) {
  const { clock, accepted = [], words } = options;
  try {
    const body = await fetchBody(url, options);
    const { content, size, createdMs } = await readOperatorFile(id, body);
    const nowMs = clock();
    const file = { id, content, firstMs: Math.min(createdMs ?? nowMs, nowMs), lastMs: nowMs };
    const isAccepted = accepted.includes(id);
    const isNew = await keepOperatorFile(store.writer, file, { from: 'update', isAccepted });
    await keepCheck(store, { id, url, nowMs, problem: null });
    return { id, outcome: isNew ? 'new' : 'unchanged', size } as const;
  } catch (error) {
    const problem = words(refusalOf(error));
    await keepCheck(store, { id, url, nowMs: clock(), problem });
    return { id, outcome: 'failed', problem } as const;
  }
}

async function fetchBody(url: string, { fetch, signal }: UpdateOptions) {
  const response = await fetch(url, {
    headers: { 'user-agent': 'overheard', accept: 'application/json, text/plain;q=0.9, */*;q=0.8' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]),
  });
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (!response.ok) {
    await body?.cancel();
    throw new Refusal('list_not_fetched', { status: response.status });
  }
  return body;
}

/** Throws an error that comes neither from the file nor from the operator's server. */
function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  if (!(error instanceof Error)) throw error;
  const cause = { cause: error };
  if (error instanceof MalformedList) {
    return new Refusal('list_malformed', { path: undefined, fault: error.fault }, cause);
  }
  if (error.name === 'TimeoutError') {
    return new Refusal('list_not_fetched', { timeoutSeconds }, cause);
  }
  if (error.name === 'AbortError') return new Refusal('stopped', {}, cause);
  if (!(error instanceof TypeError)) throw error;
  return new Refusal('list_not_fetched', {}, cause);
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
