import { stances } from '@overheard/contract';
import type { StanceGrouping, StanceRow } from '@overheard/contract';
import { readAvailableData } from '../../../reports/available-data.ts';
import { toStanceQuery } from '../../../reports/report-queries.ts';
import { readPeriodStances } from '../../../reports/stances/stances.ts';
import {
  kappaWords,
  recommendationsOf,
  stanceWords,
} from '../../../reports/stances/stance-words.ts';
import { percent } from '../../../values/figure-words.ts';
import { thousands } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { limit, parameter, runOptions } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';
import type { Table } from '../../terminal/print.ts';
import { cutWords, noRunsWords } from '../../words/report-words.ts';

export const stanceListCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'how answers present each subject, with the judge’s agreement with a person',
  description: stances.description,
  options: { by: parameter('<group>', stances.query.shape.by), ...runOptions, limit },
  json: "{stances:[...]}, the API's fields",
  hasCsv: true,
  examples: [
    'overheard stance list --workspace acme',
    'overheard stance list --workspace acme --by purpose',
    'overheard stance list --workspace acme --by topic --csv > stances.csv',
  ],
  run: async (context, values) => {
    const days = readPeriod(values, context.io);
    const filters = await namedFilters(context, values);
    const { by, rowsMax, ...query } = toStanceQuery({ ...values, ...filters }, days);
    return inSnapshot(context, async (source) => {
      const period = await readPeriodStances(source, query);
      const all = (await period?.rowsBy(by)) ?? [];
      const rows = all.slice(0, rowsMax);
      const output = {
        json: { stances: rows },
        csv: { fields: stances.fields, rows: rows.map(cellsOf) },
      };
      if (period === undefined || all.length === 0) {
        const data = await readAvailableData(source);
        const none = 'No answer of this period is judged.';
        return {
          ...output,
          words:
            data.runs === undefined
              ? [noRunsWords(data, context.slug)]
              : [none, `Next: overheard stance estimate --workspace ${context.slug}`],
        };
      }
      const { check } = period;
      return {
        ...output,
        lead: stanceWords(await period.rowsBy('total'), check),
        tables: [check.isTrusted ? figures(rows, by) : quotes(rows)],
        words: [
          `Judged by ${period.judge.judge}. The judge and a person: ${kappaWords(check)}.`,
          !check.isTrusted && `Check it: overheard stance check --workspace ${context.slug}`,
          cutWords(all, rows),
        ],
      };
    });
  },
});

/** The row for a CSV file, in which the quotes are JSON. */
function cellsOf({ quotes: all, ...row }: StanceRow) {
  return { ...row, quotes: JSON.stringify(all) };
}

function figures(rows: readonly StanceRow[], by: StanceGrouping): Table {
  return tableOf(rows, '', {
    SUBJECT: ({ name }) => name,
    ...groupCells(by),
    RECOMMENDED: (row) => {
      const { recommended_rate: rate, recommended_rate_low: low } = row;
      const high = row.recommended_rate_high;
      const interval =
        low === null || high === null
          ? 'no interval'
          : `${Math.round(low * 100)} to ${Math.round(high * 100)}`;
      const part = `${thousands(recommendationsOf(row))} of ${thousands(row.cited)}`;
      return rate === null ? part : `${part}, ${percent(rate)} (${interval})`;
    },
    SHARE: ({ recommended_share: share }) => (share === null ? null : percent(share)),
    FIRST: ({ first_choice: count }) => count,
    MIXED: ({ mixed }) => mixed,
    AGAINST: ({ advised_against: count }) => count,
    UNKNOWN: (row) => row.unknown_to_engine,
  });
}

function groupCells(by: StanceGrouping) {
  const cells: Record<string, (row: StanceRow) => string | null> = {};
  if (by === 'engine') cells['ENGINE'] = ({ engine }) => engine;
  if (by === 'prompt') cells['PROMPT'] = ({ prompt_id: id }) => id;
  if (by === 'tag' || by === 'topic') cells[by.toUpperCase()] = ({ tag }) => tag ?? 'none';
  if (by === 'purpose') cells['PURPOSE'] = ({ purpose }) => purpose;
  return cells;
}

/** Quotes of each row, where no figures are shown. */
function quotes(rows: readonly StanceRow[]): Table {
  const each = rows.flatMap((row) => row.quotes.map((quote) => ({ name: row.name, ...quote })));
  return tableOf(each, 'No quotes.', {
    SUBJECT: ({ name }) => name,
    STANCE: ({ stance }) => stance,
    PURPOSE: ({ purpose }) => purpose,
    QUOTE: ({ quote }) => quote,
    RUN: ({ run_id: run }) => run,
  });
}
