import type { ToolRow } from '../tools/row.ts';

/** The rows of a response, with the time of the client's clock at which they were known to be current. */
export interface KeptAnswer {
  /** Undefined if the server sent none: then they serve further pages, and are not asked for again by it. */
  readonly etag: string | undefined;
  readonly rows: readonly ToolRow[];
  readonly atMs: number;
}

/** The last answers, by request. */
export interface AnswerCache {
  get(request: string): KeptAnswer | undefined;
  set(request: string, answer: KeptAnswer): void;
}

/** Keeps the most recent answers in memory, at most so many rows in all. */
export function createAnswerCache({ answersMax = 16, rowsMax = 60_000 } = {}): AnswerCache {
  const kept = new Map<string, KeptAnswer>();
  return {
    get: (request) => kept.get(request),
    set(request, answer) {
      kept.delete(request);
      if (answer.rows.length > rowsMax) return;
      kept.set(request, answer);
      let rows = [...kept.values()].reduce((sum, one) => sum + one.rows.length, 0);
      for (const [oldest, { rows: own }] of kept) {
        if (kept.size <= answersMax && rows <= rowsMax) break;
        kept.delete(oldest);
        rows -= own.length;
      }
    },
  };
}
