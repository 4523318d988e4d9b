import { crawls } from '@overheard/contract';
import { readCrawls } from '../../reports/crawls.ts';
import { toCrawlQuery } from '../../reports/report-queries.ts';
import { refuseReversed } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares the counts of hits. Without days, of all stored hits. */
export function prepareCrawls(search: string): PreparedQuery {
  const values = parseQuery(search, crawls.query);
  refuseReversed(values);
  const query = toCrawlQuery(values);
  return prepareCapped(values, (request) => readCrawls(request, query));
}
