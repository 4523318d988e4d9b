import type { ToolRow } from '@overheard/tools';

/** The rows of a response, and the last time on the client's clock when they were current. */
export interface CachedResponse {
  /**
   * Undefined if the server sent none. The rows then serve only further pages, and the next read
   * fetches them again.
   */
  readonly etag: string | undefined;
  readonly rows: readonly ToolRow[];
  /** The cursor of the next page, if there is one. */
  readonly next?: string | undefined;
  readonly atMs: number;
}

/** The last responses, by request. */
export interface ResponseCache {
  get(request: string): CachedResponse | undefined;
  set(request: string, response: CachedResponse): void;
}

/** Keeps the most recent responses in memory, at most `rowsMax` rows in all. */
export function createResponseCache({ responsesMax = 16, rowsMax = 60_000 } = {}): ResponseCache {
  const responses = new Map<string, CachedResponse>();
  return {
    get: (request) => responses.get(request),
    set(request, response) {
      responses.delete(request);
      if (response.rows.length > rowsMax) return;
      responses.set(request, response);
      let rows = [...responses.values()].reduce((sum, one) => sum + one.rows.length, 0);
      for (const [oldest, { rows: cachedRows }] of responses) {
        if (responses.size <= responsesMax && rows <= rowsMax) break;
        responses.delete(oldest);
        rows -= cachedRows.length;
      }
    },
  };
}
