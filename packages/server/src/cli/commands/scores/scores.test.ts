import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-19T06:00:00Z' };
const rows = [
  { ...row, answer: 'Globex leads. **Acme** follows.\nInitech too.' },
  { ...row, run_at: '2026-11-19T07:00:00Z', answer: 'See [this](https://acme.com/a).' },
  { ...row, run_at: '2026-11-19T08:00:00Z', answer: 'None \u001b[31mof them.' },
  { ...row, run_at: '2026-11-19T09:00:00Z', answer: 'No.', outcome: 'refused' },
  { ...row, prompt: 'Is Acme good?', answer: 'Acme is.' },
  { ...row, engine: 'claude', answer: 'Acme.' },
  { ...row, run_at: '2026-11-18T23:59:59.999Z', answer: 'Acme.' },
];

const explanation = z.object({
  stored: z.object({ citations: z.number(), total_runs: z.number(), sov: z.number() }),
  counts: z.object({ runs: z.number(), brand: z.number(), competitors: z.number() }),
  sov: z.number(),
  competitors: z.array(z.object({ subject: z.string(), runs: z.number() })),
  runs: z.array(z.object({ cited: z.array(z.object({ subject_type: z.string() })) })),
});

eachDatabase('overheard scores', (create) => {
  async function prepare(
    answers: readonly object[] = rows,
  ): Promise<(...args: string[]) => Promise<Outcome>> {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.com'];
    await run(['workspace', 'create', 'acme', ...brand]);
    for (const name of ['Globex', 'Initech']) {
      await run(['subject', 'add', name, '--workspace', 'acme']);
    }
    await run(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(answers));
    return (...args) => run([...args, '--workspace', 'acme']);
  }

  test('a score is explained down to the sentence', async () => {
    const run = await prepare();
    const day = ['--date', '2026-11-19', '--engine', 'chatgpt'];
    const { code, stdout } = await run('scores', 'explain', ...day);
    expect(code).toBe(0);
    expect(stdout).toContain('2 citations of 3 runs, share of voice 0.5000 (derived)');
    expect(stdout).toContain(
      '2 of 3 counted runs cite the brand; 95 % Wilson interval 20.77 % to 93.85 %',
    );
    expect(stdout).toContain('2 cited runs: Globex 1, Initech 1');
    expect(stdout).toContain('2 / 4 (2 + 2) = 0.5000');
    expect(stdout).toContain('1 run of "Is Acme good?"');
    expect(stdout).toContain('1 refused, 0 empty, 0 failed');
    expect(stdout).toContain('  2. Acme (the brand), named "Acme" at 16\n       **Acme** follows.');
    expect(stdout).toContain('  1. Acme (the brand), linked: https://acme.com/a');
    expect(stdout).toContain('  nobody was cited');
  });

  test('a run that names and links the brand counts in both rates, and once as a citation', async () => {
    const both = { ...row, engine: 'gemini', answer: 'Acme: https://acme.com/b' };
    const named = { ...both, run_at: '2026-11-19T07:00:00Z', answer: 'Acme or Globex.' };
    const none = { ...both, run_at: '2026-11-19T08:00:00Z', answer: 'Globex.' };
    const run = await prepare([both, named, none]);
    const day = ['--date', '2026-11-19', '--engine', 'gemini'];
    const { stdout } = await run('scores', 'explain', ...day);
    expect(stdout).toContain('2 of 3 counted runs cite the brand');
    expect(stdout).toContain('  named       2 of 3 counted runs (66.67 %)\n');
    expect(stdout).toContain('  linked      1 of 3 counted runs (33.33 %); a run may be both\n');
    expect(stdout).toContain('  share       2 / 4 (2 + 2) = 0.5000\n');
    const json = await run('scores', 'explain', ...day, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ named: 2, linked: 1 });
  });

  test('an explanation agrees with the stored score to the last digit', async () => {
    const run = await prepare();
    for (const [date, engine] of [
      ['2026-11-19', 'chatgpt'],
      ['2026-11-19', 'claude'],
      ['2026-11-18', 'chatgpt'],
    ] as const) {
      const { stdout } = await run(
        'scores',
        'explain',
        '--date',
        date,
        '--engine',
        engine,
        '--json',
      );
      const { stored, counts, sov, competitors, runs } = explanation.parse(JSON.parse(stdout));
      expect(stored).toEqual({ citations: counts.brand, total_runs: counts.runs, sov });
      const citing = (type: string): number =>
        runs.flatMap(({ cited }) => cited).filter((one) => one.subject_type === type).length;
      expect(counts).toEqual({
        runs: runs.length,
        brand: citing('brand'),
        competitors: citing('competitor'),
      });
      expect(competitors.reduce((sum, one) => sum + one.runs, 0)).toBe(counts.competitors);
    }
  });

  test('a day without runs and an invalid date each get their own message', async () => {
    const run = await prepare();
    const explain = (date: string): Promise<Outcome> =>
      run('scores', 'explain', '--date', date, '--engine', 'chatgpt');
    expect(await explain('2026-01-01')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^There is neither a score nor a run of chatgpt on 2026-01-01. `overheard export scores --database \S+ --workspace acme` lists the scores.\n$/,
      ),
    });
    const wrong = ['scores', 'explain', '--date', '2026-01-01', '--engine', 'ChatGTP'] as const;
    expect(await run(...wrong)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "chatgpt"?'),
    });
    expect(await explain('2026-02-30')).toMatchObject({ code: 2 });
  });

  test('rebuilding says that nothing differs', async () => {
    const run = await prepare();
    const expected = { code: 0, stderr: '3 derived scores; 0 of them changed.\n' };
    expect(await run('scores', 'rebuild')).toMatchObject(expected);
  });
});
