import { searches } from '@overheard/contract';
import { toSearchQuery } from '../../reports/report-queries.ts';
import { readSearches } from '../../reports/searches.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares what engines searched for in a period. */
export function prepareSearches(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, searches.query);
  const query = toSearchQuery(values, periodOf(values, today));
  return prepareCapped(values, async (request) => (await readSearches(request, query)).rows);
}
