import { stances } from '@overheard/contract';
import { toStanceQuery } from '../../reports/report-queries.ts';
import { readStances } from '../../reports/stances/stances.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares how answers of a period present each subject. */
export function prepareStances(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, stances.query);
  const query = toStanceQuery(values, periodOf(values, today));
  return prepareCapped(values, (request) => readStances(request, query));
}
