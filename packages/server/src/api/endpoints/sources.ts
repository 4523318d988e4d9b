import { sources } from '@overheard/contract';
import { toSourceQuery } from '../../reports/report-queries.ts';
import { readSources } from '../../reports/sources.ts';
import { ofPeriod } from '../request/period-query.ts';

export const prepareSources = ofPeriod(sources.query, toSourceQuery, readSources);
