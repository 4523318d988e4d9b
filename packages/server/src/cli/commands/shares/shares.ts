import { isAgainstOne, shares } from '@overheard/contract';
import { toShareQuery } from '../../../reports/report-queries.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { readShares } from '../../../reports/shares/shares.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { limit, parameter, runOptions } from '../../filters/parameter.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { cutWords, noRunsWords, shareNotes, shareTables } from '../../words/report-words.ts';

const { by, competitor_prompts: competitorPrompts, searched, against } = shares.query.shape;

export const sharesCommand = defineWorkspaceCommand({
  name: 'shares',
  summary: 'citation rate and share of voice of every subject, with changes',
  description: shares.description,
  options: {
    by: parameter('<group>', by),
    competitorPrompts: parameter('<rule>', competitorPrompts),
    ...runOptions,
    searched: parameter('<whether>', searched),
    against: parameter('<what>', against),
    limit,
  },
  json: "{shares:[...]}, the API's fields",
  hasCsv: true,
  examples: [
    'overheard shares --workspace acme',
    'overheard shares --workspace acme --by engine --days 7',
    'overheard shares --workspace acme --by engine --against api',
    'overheard shares --workspace acme --by prompt --engine chatgpt --csv > shares.csv',
  ],
  run: async (context, values) => {
    if (!isAgainstOne(values)) {
      throw new UsageError(
        '--against api compares one engine at a time. Add --by engine, or --engine.',
      );
    }
    const period = readPeriod(values, context.io);
    const filters = await namedFilters(context, values);
    const query = toShareQuery(
      { ...values, ...filters, competitor_prompts: values.competitorPrompts },
      period,
    );
    return inSnapshot(context, async (source) => {
      const all = await readShares(source, { ...query, rowsMax: query.rowsMax + 1 });
      const rows = all.slice(0, query.rowsMax);
      return {
        json: { shares: rows },
        csv: { fields: shares.fields, rows },
        tables: shareTables(rows, { by: query.by }),
        words:
          rows.length === 0
            ? [
                noRunsWords(await readAvailableData(source), context.slug),
                query.searched !== undefined &&
                  'Answers of engines that do not say whether they searched match neither --searched yes nor no.',
              ]
            : [
                `Runs from ${period.from} to ${period.to} (UTC).`,
                ...shareNotes(rows, query),
                cutWords(all, rows),
              ],
      };
    });
  },
});
