import type { Row } from '../tools/row.ts';

/** An answer that may be asked for again with `If-None-Match`. */
export interface KeptAnswer {
  readonly etag: string;
  readonly rows: readonly Row[];
}

/** The last answers, by request. */
export interface AnswerCache {
  get(request: string): KeptAnswer | undefined;
  set(request: string, answer: KeptAnswer): void;
}

/** Keeps the most recent answers in memory, none of them huge. */
export function createAnswerCache({ answersMax = 8, rowsMax = 10_000 } = {}): AnswerCache {
  const kept = new Map<string, KeptAnswer>();
  return {
    get: (request) => kept.get(request),
    set(request, answer) {
      kept.delete(request);
      if (answer.rows.length > rowsMax) return;
      kept.set(request, answer);
      const oldest = kept.keys().next().value;
      if (kept.size > answersMax && oldest !== undefined) kept.delete(oldest);
    },
  };
}
