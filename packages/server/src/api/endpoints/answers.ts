import { answers } from '@overheard/contract';
import { readAnswerPage } from '../../reports/answers.ts';
import { toAnswerQuery } from '../../reports/report-queries.ts';
import { preparePaged } from '../request/paged-query.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares a page of answers. The next page covers the same days, even after midnight. */
export function prepareAnswers(search: string, today: string): PreparedQuery {
  const query = parseQuery(search, answers.query);
  const { cursor, limit, cited, ...filters } = query;
  const isAnyDay = query.run_id !== undefined && query.from === undefined && query.to === undefined;
  const days = isAnyDay ? {} : periodOf(query, today);
  const answerQuery = toAnswerQuery(query, days);
  return preparePaged({
    endpoint: 'answers',
    values: query,
    pinned: { ...filters, cited, ...days },
    repeated: { limit },
    cursor,
    read: (request, after) => readAnswerPage(request, { ...answerQuery, after }),
  });
}
