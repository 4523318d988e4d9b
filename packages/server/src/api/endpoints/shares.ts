import { shares } from '@overheard/contract';
import { toShareQuery } from '../../reports/report-queries.ts';
import { readShares } from '../../reports/shares/shares.ts';
import { ofPeriod } from '../request/period-query.ts';

export const prepareShares = ofPeriod(shares.query, toShareQuery, readShares);
