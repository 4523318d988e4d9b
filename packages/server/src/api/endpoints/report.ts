import { report } from '@overheard/contract';
import { readReport } from '../../reports/report.ts';
import { ofPeriod } from '../request/period-query.ts';

export const prepareReport = ofPeriod(
  report.query,
  ({ tag }, period) => ({ ...period, tag }),
  async (request, query) => [await readReport(request, query)],
);
