import { LRUCache } from 'lru-cache';
import { Failure, readBodyRows } from '@overheard/tools';
import type { Client, ClientResponse } from '@overheard/tools';
import type { Deadline } from '../api/service/deadline.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { Problem } from '../problems.ts';
import type { Store } from '../storage/store.ts';
import { isUnavailable } from '../storage/unavailable.ts';

/** The rows of a read, and when they were last current. */
interface CachedRows extends Pick<ClientResponse, 'rows' | 'next'> {
  readonly etag: string;
  readonly bytes: number;
  readonly atMs: number;
}

/** Rows in memory take about three times the bytes of their JSON. */
const bytesPerByte = 3;

/**
 * Keeps the rows of the last reads, so that the pages of a long result cost one read. The keys begin
 * with the workspace.
 */
export function createRowCache({ bytesMax }: { bytesMax: number }): LRUCache<string, CachedRows> {
  return new LRUCache({
    maxSize: Math.max(1, Math.floor(bytesMax)),
    sizeCalculation: ({ bytes }, key) => bytes * bytesPerByte + key.length * 2 + 200,
  });
}

/** Reads the endpoints of one workspace in this process, with the quota of the API. */
export function createLocalClient({
  workspaceId,
  cache,
  read,
  store,
  clock,
  deadline,
}: {
  readonly workspaceId: string;
  readonly cache: LRUCache<string, CachedRows>;
  readonly read: ProgramParts['read'];
  readonly store: Store;
  readonly clock: () => number;
  readonly deadline: Deadline;
}): Client {
  return {
    readCached(endpoint, query) {
      const cached = cache.get(cacheKey(endpoint.name, query));
      return cached && { ...cached, quota: undefined };
    },
    async read(endpoint, query, signal) {
      const key = cacheKey(endpoint.name, query);
      const cached = cache.get(key);
      try {
        return await deadline.waitFor(readNow());
      } catch (error) {
        signal.throwIfAborted();
        const failure = toFailure(store.mapFailure(error));
        const isSpent = failure instanceof Failure && failure.code === 'quota_spent';
        if (!isSpent || cached === undefined) throw failure;
        const seconds = Math.max(0, Math.round((clock() - cached.atMs) / 1000));
        const { waitSeconds } = failure.facts;
        return { ...cached, quota: undefined, stale: { seconds, waitSeconds } };
      }

      async function readNow(): Promise<ClientResponse> {
        const search = new URLSearchParams(query).toString();
        const knownTag = cached?.etag;
        const response = await read({
          workspaceId,
          endpoint: endpoint.name,
          search,
          knownTag,
          signal,
        });
        const { tag: etag, quota: left, body, next: nextQuery } = response;
        const quota = left && { left: left.left, resets_in_s: left.resetSeconds };
        if (body === undefined && cached !== undefined) {
          cache.set(key, { ...cached, atMs: clock() });
          return { ...cached, quota };
        }
        const counted = countBytes(body);
        const rows = await readBodyRows(endpoint, counted.body);
        const parameters = new URLSearchParams(nextQuery);
        const next = parameters.get('cursor') ?? parameters.get('since') ?? undefined;
        cache.set(key, { rows, etag, next, bytes: counted.bytes(), atMs: clock() });
        return { rows, etag, next, quota };
      }
    },
  };

  function cacheKey(name: string, query: Readonly<Record<string, string>>): string {
    return `${workspaceId} ${name}?${new URLSearchParams(query).toString()}`;
  }
}

/** Counts the bytes of a body while they are read. */
function countBytes(body: AsyncIterable<Uint8Array> | undefined) {
  let bytes = 0;
  return { bytes: () => bytes, body: count() };

  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const part of body ?? []) {
      bytes += part.byteLength;
      yield part;
    }
  }
}

/** What a model reads of an error, or the error itself if it is a bug. */
function toFailure(error: unknown): unknown {
  if (isUnavailable(error))
    return new Failure('server_failed', { status: 503, problem: 'unavailable' });
  if (!(error instanceof Problem)) return error;
  const { code: problem, status, headers, errors = [] } = error;
  const wait = Number(headers['Retry-After']);
  const facts = { status, problem, waitSeconds: wait > 0 ? wait : undefined };
  if (problem === 'rate_limited') return new Failure('quota_spent', facts);
  if (problem === 'unavailable') return new Failure('server_failed', facts);
  if (problem === 'cursor_too_old') return new Failure('old_cursor', facts);
  if (problem !== 'invalid_parameter') return error;
  return new Failure('refused_arguments', {
    ...facts,
    parameters: errors.map(({ parameter }) => parameter),
  });
}
