import { sources } from '@overheard/contract';
import { toSourceQuery } from '../../reports/report-queries.ts';
import { readSources } from '../../reports/sources.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares the sources that the answers of a period cite. */
export function prepareSources(search: string, today: string): PreparedQuery {
  const values = parseQuery(search, sources.query);
  const query = toSourceQuery(values, periodOf(values, today));
  return prepareCapped(values, (request) => readSources(request, query));
}
