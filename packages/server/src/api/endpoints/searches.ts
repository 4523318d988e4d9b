import { searches } from '@overheard/contract';
import { toSearchQuery } from '../../reports/report-queries.ts';
import { readSearches } from '../../reports/searches.ts';
import { ofPeriod } from '../request/period-query.ts';

export const prepareSearches = ofPeriod(
  searches.query,
  toSearchQuery,
  async (request, query) => (await readSearches(request, query)).rows,
);
