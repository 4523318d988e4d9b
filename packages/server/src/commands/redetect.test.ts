import { expect, test } from 'vitest';
import { runCommand } from '../../test/command-line.ts';
import type { Outcome } from '../../test/command-line.ts';
import { eachDatabase } from '../../test/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = { prompt: 'Which tool?', engine: 'chatgpt' };
const rows = [
  { ...row, run_at: '2026-11-18T06:00:00Z', answer: 'Acme or Globex.' },
  { ...row, run_at: '2026-11-19T06:00:00Z', answer: 'Globex, then Acme.' },
  { ...row, run_at: '2026-11-19T07:00:00Z', answer: 'Acme.' },
  { ...row, run_at: '2026-11-19T08:00:00Z', answer: 'Globex.', outcome: 'refused' },
];

eachDatabase('overheard answers redetect', (create) => {
  async function prepare(): Promise<(...args: string[]) => Promise<Outcome>> {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    await run(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme']);
    await run(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(rows));
    await run(['subject', 'add', 'Globex', '--workspace', 'acme']);
    return (...args) => run([...args, '--workspace', 'acme']);
  }

  test('shows what would change, and then does just that', async () => {
    const run = await prepare();
    const before = await run('export', 'scores');
    const tried = await run('answers', 'redetect', '--dry-run');
    expect(tried.stdout.split('\n').slice(1)).toEqual([
      '2026-11-18  chatgpt  1          1     1.0000  ->  1          1     0.5000',
      '2026-11-19  chatgpt  2          2     1.0000  ->  2          2     0.6667',
      '',
    ]);
    expect(tried.stderr).toBe(
      [
        'Judged 4 runs: who is cited would change in 2 of them, and 2 daily scores with it.',
        'In 1 more only subjects that are not cited come or go, or what the prompt names.',
        'Nothing was written. Leave --dry-run out to do it.\n',
      ].join('\n'),
    );
    expect((await run('export', 'scores')).stdout).toBe(before.stdout);

    const done = await run('answers', 'redetect');
    expect(done).toMatchObject({ code: 0, stdout: tried.stdout });
    expect(done.stderr).toContain('who is cited changed in 2 of them');
    expect(done.stderr).toContain('Next: overheard actions derive --workspace acme');
    expect((await run('export', 'scores')).stdout).toContain('0.6667');

    const again = await run('answers', 'redetect');
    expect(again).toMatchObject({
      stdout: '',
      stderr: 'Judged 4 runs: who is cited changed in 0 of them, and 0 daily scores with it.\n',
    });
  });

  test('since a day, in JSON', async () => {
    const run = await prepare();
    const { stdout } = await run('answers', 'redetect', '--since', '2026-11-19', '--json');
    const before = { citations: 2, total_runs: 2, sov: 1 };
    expect(JSON.parse(stdout)).toEqual({
      judged: 3,
      changed: 2,
      recited: 1,
      outdated: 0,
      scores: [
        { date: '2026-11-19', engine: 'chatgpt', before, after: { ...before, sov: 0.6667 } },
      ],
    });
    expect(await run('answers', 'redetect', '--since', 'yesterday')).toMatchObject({ code: 2 });
  });
});
