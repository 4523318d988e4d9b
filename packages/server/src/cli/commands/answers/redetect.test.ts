import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

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

  test('overheard answers redetect shows what would change, and then does just that', async () => {
    const run = await prepare();
    const before = await run('export', 'scores');
    const tried = await run('answers', 'redetect', '--dry-run');
    expect(tried.stdout.split('\n').slice(1)).toEqual([
      '2026-11-18  chatgpt  1          1     1.0000  ->  1          1     0.5000',
      '2026-11-19  chatgpt  2          2     1.0000  ->  2          2     0.6667',
      'Sentences and links that come (2):',
      expect.stringMatching(/^  Globex, chatgpt 2026-11-1\dT06:00:00.000Z, run [0-9a-f-]{36}$/),
      expect.stringMatching(/^ {6}(Acme or Globex|Globex, then Acme)\.$/),
      expect.stringMatching(/^  Globex, chatgpt /),
      expect.stringMatching(/^ {6}(Acme or Globex|Globex, then Acme)\.$/),
      '',
    ]);
    expect(tried.stderr).toBe(
      [
        'Judged 4 runs. Who is cited would change in 2 of them; 2 daily scores would change.',
        'In 1 more, only uncited subjects, the stored evidence, or the facts about the prompt changed.',
        'Nothing was written. Run it without --dry-run to apply the changes.\n',
      ].join('\n'),
    );
    expect((await run('export', 'scores')).stdout).toBe(before.stdout);

    const done = await run('answers', 'redetect');
    expect(done).toMatchObject({ code: 0, stdout: tried.stdout });
    expect(done.stderr).toContain('Who is cited changed in 2 of them');
    expect(done.stderr).toContain('No new gap in the last 28 days.');
    expect((await run('export', 'scores')).stdout).toContain('0.6667');

    const again = await run('answers', 'redetect');
    expect(again).toMatchObject({
      stdout: '',
      stderr: 'Judged 4 runs. Who is cited changed in none of them; no daily scores changed.\n',
    });
  });

  test('redetecting since a day prints its counts as JSON', async () => {
    const run = await prepare();
    const { stdout } = await run('answers', 'redetect', '--since', '2026-11-19', '--json');
    const before = { citations: 2, total_runs: 2, sov: 1 };
    const globex = {
      run_id: expect.any(String),
      run_at: '2026-11-19T06:00:00.000Z',
      engine: 'chatgpt',
      subject: 'Globex',
      subject_id: expect.any(String),
      subject_type: 'competitor',
      change: 'comes',
    };
    expect(JSON.parse(stdout)).toEqual({
      judged: 3,
      changed: 2,
      recited: 1,
      moved: 0,
      outdated: 0,
      stripped: [],
      sentences: {
        comes: 1,
        goes: 0,
        examples: [{ ...globex, sentence: 'Globex, then Acme.', alias: 'Globex', url: null }],
      },
      scores: [
        { date: '2026-11-19', engine: 'chatgpt', before, after: { ...before, sov: 0.6667 } },
      ],
    });
    const none = await run('answers', 'redetect', '--dry-run', '--sentences', 'x');
    expect(none.code).toBe(2);
    expect(await run('answers', 'redetect', '--since', 'yesterday')).toMatchObject({ code: 2 });
  });

  test('only runs in which other subjects are cited count as such, not another alias or place', async () => {
    const run = await prepare();
    await run('answers', 'redetect');
    const add = ['subject', 'set', 'Globex', '--name', 'Globex or', '--add-alias', 'Globex'];
    await run(...add);
    const relabelled = await run('answers', 'redetect');
    expect(relabelled.stderr).toContain('Who is cited changed in none of them; no daily scores');
    expect(relabelled.stdout).toBe('');

    await run('subject', 'set', 'Globex', '--remove-alias', 'Globex', '--name', 'Umbrella');
    const gone = await run('answers', 'redetect', '--dry-run', '--json', '--sentences', '1');
    expect(JSON.parse(gone.stdout)).toMatchObject({
      recited: 2,
      moved: 0,
      sentences: { comes: 0, goes: 2, examples: [{ subject: 'Umbrella', change: 'goes' }] },
    });
    const shown = await run('answers', 'redetect', '--dry-run', '--sentences', '1');
    expect(shown.stdout).toContain('that go (2, 1 shown; --sentences shows more):');
  });

  test('a subject that is cited at another place shows the old and the new sentence', async () => {
    const run = await prepare();
    await run('subject', 'set', 'Globex', '--name', 'Hooli');
    await run('subject', 'set', 'Acme', '--add-alias', 'Globex');
    const { stdout, stderr } = await run('answers', 'redetect', '--dry-run');
    expect(stderr).toContain('Who is cited would change in none of them');
    expect(stderr).toContain('In 1 more, the same subjects are cited at another place');
    expect(stdout).toMatch(/that come \(1\):\n  Acme, .*\n {6}Globex, then Acme\.\n/);
    expect(stdout).toMatch(/that go \(1\):\n  Acme, .*\n {6}Globex, then Acme\.\n/);
  });
});
