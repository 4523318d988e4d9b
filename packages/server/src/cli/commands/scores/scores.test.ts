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
});
