import { answers } from '@overheard/contract';
import { exportedFields } from '../../../answers/import/parse-answer.ts';
import { readAnswerPages } from '../../../reports/answers.ts';
import { readPromptNames } from '../../../reports/known-names.ts';
import { answerSlices } from '../../../transfer/answer-slices.ts';
import { writeSlices } from '../../../transfer/export-rows.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { answerOptions, answerQuery } from '../../filters/answer-options.ts';
import { openDays } from '../../filters/parameter.ts';
import { readDays } from '../../filters/read-period.ts';
import { outputOptions, writeExport } from '../export/export.ts';

const { days } = answerOptions;

/** Most answers in memory at once. Fewer if they are long. */
const pageRows = 500;

const help = `
The rows are what \`overheard answers import\` takes, each with the id of its run and its prompt, so
that the same answers come back. Import the prompts first (\`overheard export prompts\`) if their
texts were changed or some are not active. Answers that were kept with --accept or --new-engine need
the same option again. Runs that were imported with their detections alone have no answer: they are
in \`overheard export detections\`.
`;

export const answersExportCommand = defineWorkspaceCommand({
  name: 'export',
  summary: 'export answers as rows that can be imported again',
  description:
    'Exports answers as they came, the most recent first. Without options it exports all days. The export is a snapshot of one moment.',
  options: {
    ...answerOptions,
    ...openDays,
    days: { ...days, summary: 'number of days up to --to or today, instead of --from' },
    ...outputOptions,
  },
  help,
  examples: [
    'overheard answers export --workspace acme > answers.ndjson',
    'overheard answers export --workspace acme --engine chatgpt --output chatgpt.csv',
    'overheard answers export --workspace acme | overheard answers import - --workspace other',
  ],
  run: async (context, values) => {
    const query = await answerQuery(context, values, readDays(values, context.io));
    return writeExport(context, values, {
      name: 'answers',
      work: async (options) =>
        inSnapshot(context, async (source) => {
          const prompts = await readPromptNames(source);
          const pages = readAnswerPages(source, { ...query, rowsMax: pageRows });
          const { array } = answers;
          return writeSlices(answerSlices(pages, prompts), {
            ...options,
            fields: exportedFields,
            array,
          });
        }),
    });
  },
});
