import { answers } from '@overheard/contract';
import { readAnswerPage } from '../../reports/answers.ts';
import { toAnswerQuery } from '../../reports/report-queries.ts';
import { readCursor, writeCursor } from '../request/cursor.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares a page of answers. The next page covers the same days, even after midnight. */
export function prepareAnswers(search: string, today: string): PreparedQuery {
  const query = parseQuery(search, answers.query);
  const { cursor, limit, cited, ...filters } = query;
  const isAnyDay = query.run_id !== undefined && query.from === undefined && query.to === undefined;
  const days = isAnyDay ? {} : periodOf(query, today);
  const pinned = new URLSearchParams(
    Object.entries({ ...filters, cited, ...days }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  pinned.sort();
  const fingerprinted = pinned.toString();
  const answerQuery = {
    ...toAnswerQuery(query, days),
    after: cursor === undefined ? undefined : readCursor(cursor, fingerprinted),
  };
  return {
    values: query,
    readWhole: async (request) => {
      const { rows, next } = await readAnswerPage(request, answerQuery);
      if (next === undefined) return { rows };
      if (limit !== undefined) pinned.set('limit', limit);
      pinned.set('cursor', writeCursor(next, fingerprinted));
      return { rows, next: `?${pinned.toString()}` };
    },
    async *slices() {},
  };
}
