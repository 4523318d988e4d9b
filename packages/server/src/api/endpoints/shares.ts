import { shares } from '@overheard/contract';
import { toShareQuery } from '../../reports/report-queries.ts';
import { readShares } from '../../reports/shares/shares.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareShares(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, shares.query);
  const query = toShareQuery(values, periodOf(values, today));
  return prepareCapped(values, (request) => readShares(request, query));
}
