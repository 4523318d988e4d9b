import { reports } from '@overheard/contract';
import { Problem } from '../../problems.ts';
import { readPublishedRows, readRecountedRow } from '../../reports/published/rows.ts';
import { findPublishedReport } from '../../storage/published-reports.ts';
import { parseQuery } from '../request/query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** Prepares published reports: the list, one as it is stored, or one with its recount. */
export function prepareReports(search: string): PreparedQuery {
  const values = parseQuery(search, reports.query);
  const { id, recount } = values;
  if (id !== undefined && recount !== undefined) {
    throw new Problem('invalid_parameter', 'Two reports are given.', {
      errors: [{ parameter: 'recount', message: 'Give either id or recount.' }],
    });
  }
  return {
    values,
    readWhole: async (request) => {
      if (id !== undefined) {
        const stored = await findPublishedReport(request.db, request.workspaceId, id);
        return { rows: [], body: stored?.body };
      }
      if (recount === undefined) return { rows: await readPublishedRows(request) };
      const row = await readRecountedRow(request, { id: recount });
      return { rows: row === null ? [] : [row] };
    },
  };
}
