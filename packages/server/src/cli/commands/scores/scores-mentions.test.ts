import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-19T06:00:00Z' };
const explain = ['scores', 'explain', '--date', '2026-11-19', '--engine', 'chatgpt'];

eachDatabase('mentions in overheard scores explain', (create) => {
  async function prepare(
    ...answers: readonly object[]
  ): Promise<(...args: string[]) => Promise<Outcome>> {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    await run(['workspace', 'create', 'w', '--name', 'W', '--brand', 'Mailchimp']);
    await run(['subject', 'set', 'Mailchimp', '--add-domain', 'mailchimp.com', '--workspace', 'w']);
    await run(['subject', 'add', 'Globex', '--workspace', 'w']);
    const rows = answers.map((answer) => ({ ...row, ...answer }));
    await run(['answers', 'import', '-', '--workspace', 'w'], JSON.stringify(rows));
    return (...args) => run([...args, '--workspace', 'w']);
  }

  test(
    'a mention in many long answers of a day is shown, each from its own answer',
    { tags: ['long', 'slow'] },
    async () => {
      const long = 'word '.repeat(120_000);
      const run = await prepare(
        ...Array.from({ length: 12 }, (_, index) => ({
          run_at: `2026-11-19T06:00:${String(index).padStart(2, '0')}Z`,
          answer: `${'x '.repeat(index)}Globex's. ${long}`,
        })),
      );
      const json = JSON.parse((await run(...explain, '--json')).stdout);
      const mentions = json.runs.map(({ cited }: { cited: Array<{ mention: string }> }) =>
        cited.map(({ mention }) => mention),
      );
      expect(mentions).toEqual(Array.from({ length: 12 }, () => ["Globex's"]));
    },
  );
});
