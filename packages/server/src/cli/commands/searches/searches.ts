import { searches } from '@overheard/contract';
import { readAvailableData } from '../../../reports/available-data.ts';
import { toSearchQuery } from '../../../reports/report-queries.ts';
import { readSearches, searchCells, searchWords } from '../../../reports/searches.ts';
import { thousands } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { limit, rowsMax, runOptions } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { tableOf } from '../../define/table-of.ts';
import { cutWords, noRunsWords } from '../../words/report-words.ts';

export const searchesCommand = defineWorkspaceCommand({
  name: 'searches',
  summary: 'what engines search for before they answer',
  description: searches.description,
  options: { ...runOptions, limit },
  json: "{searches:[...]}, the API's fields",
  hasCsv: true,
  examples: [
    'overheard searches --workspace acme --limit 20',
    'overheard searches --workspace acme --engine claude_api --csv > searches.csv',
  ],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    const query = toSearchQuery({ ...values, ...(await namedFilters(context, values)) }, period);
    return inSnapshot(context, async (source) => {
      const report = await readSearches(source, query);
      const rows = report.rows.slice(0, rowsMax(values.limit));
      return {
        json: { searches: rows },
        csv: { fields: searches.fields, rows: rows.map(searchCells) },
        table: tableOf(rows, '', {
          QUERY: (row) => row.query,
          ANSWERS: (row) => thousands(row.runs),
          BRAND: (row) => thousands(row.brand_runs),
          GAP: (row) => thousands(row.gap_runs),
          ENGINES: (row) => row.engines.join(' '),
          SITES: (row) => row.sites.join(' '),
        }),
        words:
          report.runs === 0
            ? noRunsWords(await readAvailableData(source), context.slug)
            : [searchWords(report), cutWords(report.rows, rows)],
      };
    });
  },
});
