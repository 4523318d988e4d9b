import type { AnswerRow } from '@overheard/contract';
import { answers, limits } from '@overheard/contract';
import { readAnswerPages } from '../../../reports/answers.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { number } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { answerOptions, answerQuery } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { cutWords, noRunsWords } from '../../words/report-words.ts';

export const answersListCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list answers with who is cited, the most recent first',
  description:
    'Lists the runs of a period whose answer is stored, with who is cited by rank. `answers show` prints one whole.',
  options: {
    ...answerOptions,
    limit: number('most answers to list', {
      min: 1,
      max: limits.reportRowsMax,
      initial: limits.answersUsual,
    }),
  },
  json: `{answers:[...]}, the API's fields`,
  examples: [
    'overheard answers list --workspace acme --days 7',
    'overheard answers list --workspace acme --engine chatgpt --subject Globex',
    'overheard answers list --workspace acme --prompt "Which CRM suits an agency?" --cited false',
  ],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    const query = await answerQuery(context, values, period);
    return inSnapshot(context, async (source) => {
      const all: AnswerRow[] = [];
      for await (const page of readAnswerPages(source, { ...query, rowsMax: values.limit + 1 })) {
        all.push(...page);
        if (all.length > values.limit) break;
      }
      const rows = all.slice(0, values.limit);
      return {
        json: { [answers.array]: rows },
        table: tableOf(rows, '', {
          RUN: (row) => row.run_id.slice(0, 8),
          AT: (row) => `${row.run_at.slice(0, 16)}Z`,
          ENGINE: ({ engine }) => engine,
          PROMPT: ({ prompt }) => prompt,
          CITED: ({ outcome, cited }) =>
            outcome === 'answered' ? cited.map(({ name }) => name).join(', ') || 'nobody' : outcome,
        }),
        words:
          rows.length === 0
            ? noRunsWords(await readAvailableData(source), context.slug)
            : [
                `Runs from ${period.from} to ${period.to} (UTC).`,
                cutWords(all, rows),
                `A whole answer: overheard answers show RUN --workspace ${context.slug}`,
              ],
      };
    });
  },
});
