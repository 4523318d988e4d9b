import { subjects } from '@overheard/contract';
import { readSubjectRows } from '../../reports/subjects.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareSubjects(search: string): PreparedQuery {
  return prepareCapped(parseQuery(search, subjects.query), readSubjectRows);
}
