import { changes } from '@overheard/contract';
import { Problem } from '../../problems.ts';
import { readChanges } from '../../reports/changes.ts';
import { parseQuery } from '../request/query.ts';
import { refuseCursor } from '../request/cursor.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares the days that changed. There is always a next page: it has what changes later. */
export function prepareChanges(search: string): PreparedQuery {
  const query = parseQuery(search, changes.query);
  return {
    values: query,
    readWhole: async (request) => {
      const page = await readChanges(request, { since: query.since, today: request.today });
      if (page === 'malformed') throw refuseCursor('since');
      if (page === 'cursor_too_old') {
        throw new Problem('cursor_too_old', 'The cursor is of data that is gone.');
      }
      return { rows: page.rows, next: `?since=${page.next}` };
    },
  };
}
