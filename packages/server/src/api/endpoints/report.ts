import { report } from '@overheard/contract';
import { readReport } from '../../reports/report.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareReport(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, report.query);
  const query = { ...periodOf(values, today), tag: values.tag };
  return prepareCapped(values, async (request) => [await readReport(request, query)]);
}
