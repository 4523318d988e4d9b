import { createJudge, readSubjects } from '../../../answers/subjects.ts';
import { readPromptReport } from '../../../reports/prompts.ts';
import { defineGroup, defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { runOptions } from '../../filters/parameter.ts';
import { rateWords } from '../../../values/figure-words.ts';
import { promptsAddCommand } from './prompts-add.ts';
import { promptsCollectCommand } from './prompts-collect.ts';

const { from, to, days } = runOptions;

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the prompts with how often they were asked and the brand was cited',
  description:
    'Lists every prompt with its language, whether it is active or names the brand, its stored runs and the last one, and how often the brand was cited in its counted runs of a period.',
  options: { from, to, days },
  json: "{prompts:[...]}, the API's fields and branded, runs, last_run_at, and brand: the row of shares of the period, or null",
  examples: [
    'overheard prompts list --workspace acme',
    "overheard prompts list --workspace acme --json | jq -r '.prompts[] | select(.runs == 0) | .text'",
  ],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    return inSnapshot(context, async (source) => {
      const judge = createJudge(await readSubjects(source.db, source.workspaceId));
      const prompts = (await readPromptReport(source, period)).map(
        ({ brand, runs, last_run_at, ...prompt }) => {
          const facts = { asked: prompt.text, language: prompt.language };
          return {
            ...prompt,
            branded: judge.judgePrompt(facts).isBranded,
            runs,
            last_run_at,
            brand,
          };
        },
      );
      return {
        json: { prompts },
        table: tableOf(
          prompts,
          {
            ID: ({ id }) => id.slice(0, 8),
            PROMPT: ({ text }) => text,
            LOCALE: ({ locale }) => locale,
            STATE: ({ active, branded }) =>
              [active ? 'active' : 'inactive', ...(branded ? ['branded'] : [])].join(', '),
            RUNS: ({ runs }) => runs,
            'LAST RUN': ({ last_run_at: last }) => last?.slice(0, 10),
            'BRAND CITED': ({ brand }) => brand && rateWords(brand),
          },
          `There are no prompts yet. They come with answers: overheard answers import FILE --workspace ${context.slug}`,
        ),
        words: [
          prompts.length > 0 &&
            `BRAND CITED is of counted runs from ${period.from} to ${period.to} (UTC), with the 95 % interval. Runs of branded prompts are not counted.`,
        ],
      };
    });
  },
});

export const promptsCommand = defineGroup({
  name: 'prompts',
  summary: 'list, add and ask the questions that the workspace tracks',
  description:
    'Prompts: the questions that the workspace tracks. They come with answers, or are imported.',
  commands: [listCommand, promptsAddCommand, promptsCollectCommand],
});
