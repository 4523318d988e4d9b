import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runnableBlocks, runShell } from './run-shell.ts';
import { repository } from '../source-files.ts';

const page = readFileSync(join(repository, 'docs/api.md'), 'utf8');

const day = (date: number): string => new Date(Date.now() - date * 86_400_000).toISOString();
const ask = (engine: string, daysAgo: number, answer: string, prompt = 'Which tool?'): object => ({
  prompt,
  engine,
  run_at: day(daysAgo),
  answer,
});

/** Days of unequal weight: an average of their shares or rates would be another figure. */
const answers = [
  ask('chatgpt', 3, 'Acme.'),
  ...['Globex.', 'Globex and Initech.', 'Acme or Globex.', 'None.', 'Initech.'].map(
    (answer, index) => ask('chatgpt', 2 + index / 100_000, answer),
  ),
  ask('chatgpt', 2.1, 'Acme, of course.', 'Is Acme good?'),
  { ...ask('chatgpt', 2.2, 'Acme: I cannot say.'), outcome: 'refused' },
  ask('claude', 3, 'Globex.'),
  ask('claude', 2, 'Acme and Globex.'),
  ask('gemini', 2, 'None.'),
];

/** Scores that another tool counted: nothing says how often competitors were cited. */
const imported = ['chatgpt', 'grok'].map((engine) => ({
  date: day(9).slice(0, 10),
  engine,
  citations: 1,
  total_runs: 4,
  sov: 0.5,
}));

test(
  'the recipe for a warehouse gives the figures of scores, pooled, with one request',
  { tags: ['long'] },
  async () => {
    const [rates = '', shares = ''] = runnableBlocks(page);
    const { code, output } = await runShell(`
      export OVERHEARD_DATABASE="file:$PWD/overheard.db" OVERHEARD_QUOTA=1
      npx overheard workspace create acme --name Acme --brand Acme
      npx overheard subject add Globex --workspace acme
      npx overheard subject add Initech --workspace acme
      npx overheard answers import - --workspace acme << 'END'
${answers.map((answer) => JSON.stringify(answer)).join('\n')}
END
      npx overheard import scores - --workspace acme << 'END'
${imported.map((score) => JSON.stringify(score)).join('\n')}
END
      KEY=$(npx overheard key create --workspace acme)
      npx overheard serve > log.txt 2>&1 & sleep 2 > ready.txt
      echo rates; ${rates}
      echo shares; ${shares}
    `);
    const [, lines = ''] = output.split('\nrates\n');
    const printed = lines.split('\n').map((line) => line.trim());
    expect(printed.filter((line) => line !== '').toSorted()).toEqual(
      [
        'chatgpt 3 10 0.3000',
        'claude 1 2 0.5000',
        'gemini 0 1 0.0000',
        'grok 1 4 0.2500',
        'shares',
        'chatgpt 2 7 0.2857 without 1 imported',
        'claude 1 3 0.3333',
        'gemini 0 0 none',
        'grok 0 0 none without 1 imported',
      ].toSorted(),
    );
    expect(code).toBe(0);
  },
);
