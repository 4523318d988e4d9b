import { sources } from '@overheard/contract';
import { toSourceQuery } from '../../../reports/report-queries.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { readSourcesOfRuns } from '../../../reports/sources.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { limit, parameter, rowsMax, runOptions } from '../../filters/parameter.ts';
import { cutWords, noRunsWords, sourceNote, sourceTable } from '../../words/report-words.ts';

const { by } = sources.query.shape;

export const sourcesCommand = defineWorkspaceCommand({
  name: 'sources',
  summary: 'which sites and pages answers cite',
  description: sources.description,
  options: {
    by: parameter('<group>', by),
    ...runOptions,
    limit,
  },
  json: "{sources:[...]}, the API's fields",
  hasCsv: true,
  examples: [
    'overheard sources --workspace acme --limit 20',
    'overheard sources --workspace acme --by page --engine chatgpt',
    'overheard sources --workspace acme --csv > sources.csv',
  ],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    const query = toSourceQuery({ ...values, ...(await namedFilters(context, values)) }, period);
    return inSnapshot(context, async (source) => {
      const { runs, rows: all } = await readSourcesOfRuns(source, query);
      const rows = all.slice(0, rowsMax(values.limit));
      const when = `from ${period.from} to ${period.to} (UTC)`;
      return {
        json: { sources: rows },
        csv: { fields: sources.fields, rows },
        table: sourceTable(rows, { runs }),
        words:
          runs === 0
            ? noRunsWords(await readAvailableData(source), context.slug)
            : [
                rows.length === 0
                  ? `No counted answer ${when} cites a source.`
                  : `Counted answers ${when}.`,
                rows.length > 0 && sourceNote,
                cutWords(all, rows),
              ],
      };
    });
  },
});
