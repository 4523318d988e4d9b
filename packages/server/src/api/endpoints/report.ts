import { report } from '@overheard/contract';
import { readReport } from '../../reports/report.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareReport(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, report.query);
  const period = periodOf(values, today);
  return prepareCapped(values, async (request) => [await readReport(request, period)]);
}
