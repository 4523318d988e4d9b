import { stances } from '@overheard/contract';
import { toStanceQuery } from '../../reports/report-queries.ts';
import { readStances } from '../../reports/stances/stances.ts';
import { ofPeriod } from '../request/period-query.ts';

export const prepareStances = ofPeriod(stances.query, toStanceQuery, readStances);
