import { report, searches, shares, sources, stances } from '@overheard/contract';
import type { z } from 'zod';
import {
  toSearchQuery,
  toShareQuery,
  toSourceQuery,
  toStanceQuery,
} from '../../reports/report-queries.ts';
import { readReport } from '../../reports/report.ts';
import { readSearches } from '../../reports/searches.ts';
import { readShares } from '../../reports/shares/shares.ts';
import type { Period } from '../../reports/shares/windows.ts';
import { readSources } from '../../reports/sources.ts';
import { readStances } from '../../reports/stances/stances.ts';
import { periodOf } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

export const prepareShares = ofPeriod(shares.query, toShareQuery, readShares);

export const prepareSources = ofPeriod(sources.query, toSourceQuery, readSources);

export const prepareStances = ofPeriod(stances.query, toStanceQuery, readStances);

export const prepareSearches = ofPeriod(
  searches.query,
  toSearchQuery,
  async (request, query) => (await readSearches(request, query)).rows,
);

export const prepareReport = ofPeriod(
  report.query,
  ({ tag }, period) => ({ ...period, tag }),
  async (request, query) => [await readReport(request, query)],
);

/** Prepares a report of the period that a request gives, with the query that its parameters make. */
function ofPeriod<Schema extends z.ZodObject<typeof report.query.shape>, Query>(
  schema: Schema,
  toQuery: (values: z.infer<Schema>, period: Period) => Query,
  read: (request: ReadRequest, query: Query) => Promise<readonly unknown[]>,
) {
  return function prepare(search: string, today: string): PreparedQuery {
    const values = parseQuery(search, schema);
    const query = toQuery(values, periodOf(values, today));
    return prepareCapped(values, (request) => read(request, query));
  };
}
