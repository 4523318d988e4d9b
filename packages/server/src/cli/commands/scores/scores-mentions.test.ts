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

  test('a mention is shown as the answer writes it, with every sentence that names the subject', async () => {
    const answer =
      "😀 Try MAILCHIMP's plan, or mailchimp alone.\nGlobex is dear.\nSee https://mailchimp.com now. Mailchimp wins.";
    const run = await prepare({ answer });
    const { code, stdout } = await run(...explain);
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        `  1. Mailchimp (the brand), named "MAILCHIMP's" at 6, "mailchimp" at 27, linked: https://mailchimp.com`,
        "       😀 Try MAILCHIMP's plan, or mailchimp alone.",
        '     "Mailchimp" at 91',
        '       Mailchimp wins.',
        '  2. Globex, named "Globex" at 44',
        '       Globex is dear.',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await run(...explain, '--json')).stdout);
    const sentence = "😀 Try MAILCHIMP's plan, or mailchimp alone.";
    expect(json.runs[0].cited[0]).toMatchObject({
      subject: 'Mailchimp',
      position: 6,
      alias: 'Mailchimp',
      mention: "MAILCHIMP's",
      mentions: [
        { text: "MAILCHIMP's", position: 6, sentence },
        { text: 'mailchimp', position: 27, sentence },
        { text: 'Mailchimp', position: 91, sentence: 'Mailchimp wins.' },
      ],
      mentions_total: 3,
    });
  });

  test("a mention has the ending of its prompt's language", async () => {
    const german = { prompt: 'Welches?', language: 'de', locale: 'de-DE' };
    const run = await prepare({ ...german, answer: 'Mailchimps Preise.' });
    expect((await run(...explain)).stdout).toContain('named "Mailchimps" at 0\n');
  });

  test('mentions beyond --mentions are counted and not shown', async () => {
    const run = await prepare({ answer: 'Globex. '.repeat(30) });
    const { stdout } = await run(...explain, '--mentions', '2');
    expect(stdout).toContain('"Globex" at 8\n       Globex.\n     28 more mentions; --mentions');
    expect((await run(...explain)).stdout).toContain('20 more mentions');
    expect((await run(...explain, '--mentions', '30')).stdout).not.toContain('more mention');
    const json = JSON.parse((await run(...explain, '--json', '--mentions', '1')).stdout);
    expect(json.runs[0].cited[0]).toMatchObject({
      mentions: [{ position: 0 }],
      mentions_total: 30,
    });
    for (const wrong of ['0', '-1', 'x', '1001']) {
      expect(await run(...explain, '--mentions', wrong)).toMatchObject({ code: 2, stdout: '' });
    }
  });

  test('a subject that is no longer found as stored is shown by what was stored', async () => {
    const run = await prepare({ answer: "It is Globex's. And Globex." });
    await run('subject', 'remove', 'Globex');
    const removed = await run(...explain);
    expect(removed.stdout).toContain(`1. Globex, named "Globex" at 6\n       It is Globex's.\n`);
    expect(removed.stdout).not.toContain('And Globex.');
    const json = JSON.parse((await run(...explain, '--json')).stdout);
    const stored = { text: 'Globex', position: 6, sentence: "It is Globex's." };
    expect(json.runs[0].cited[0]).toMatchObject({ mention: 'Globex', mentions: [stored] });
  });

  test('a subject that is linked alone has no mention', async () => {
    const run = await prepare({ answer: 'See [this](https://mailchimp.com/a).' });
    const json = JSON.parse((await run(...explain, '--json')).stdout);
    expect(json.runs[0].cited).toMatchObject([
      { position: null, mention: null, mentions: [], mentions_total: 0 },
    ]);
  });

  test(
    'a mention in many long answers of a day is shown, each from its own answer',
    { tags: ['slow'] },
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
