import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = { prompt: 'Which tool?', engine: 'chatgpt' };
const rows = [
  { ...row, run_at: '2026-11-18T06:00:00Z', answer: 'Acme or Apex.' },
  { ...row, run_at: '2026-11-19T06:00:00Z', answer: 'Globex, then Apex Ltd.' },
  { ...row, run_at: '2026-11-19T07:00:00Z', answer: 'See https://globex.com/a for Globex.' },
  { ...row, run_at: '2026-11-19T08:00:00Z', answer: 'Globex: [this](https://apex.com).' },
  { ...row, run_at: '2026-11-19T09:00:00Z', answer: 'Apex.', outcome: 'refused' },
  { ...row, prompt: 'Is Apex good?', run_at: '2026-11-17T09:00:00Z', answer: 'Yes.' },
];

eachDatabase('a dry run of overheard subject', (create) => {
  async function prepare(
    answers: readonly object[] = rows,
  ): Promise<(...args: string[]) => Promise<Outcome>> {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    await run(['workspace', 'create', 'w', '--name', 'W', '--brand', 'Acme']);
    await run(['subject', 'add', 'Globex', '--workspace', 'w']);
    await run(['answers', 'import', '-', '--workspace', 'w'], JSON.stringify(answers));
    return (...args) => run([...args, '--workspace', 'w']);
  }

  async function everything(run: (...args: string[]) => Promise<Outcome>): Promise<string> {
    const subjects = await run('subject', 'list', '--all', '--json');
    const detections = await run('export', 'detections');
    const scores = await run('export', 'scores');
    return subjects.stdout + detections.stdout + scores.stdout;
  }

  test('a dry run of subject set shows who would become cited, by which sentence or link, and writes nothing', async () => {
    const run = await prepare();
    const before = await everything(run);
    const change = ['subject', 'set', 'Acme', '--add-alias', 'Apex', '--add-domain', 'apex.com'];
    const tried = await run(...change, '--dry-run');
    expect(tried.code).toBe(0);
    expect(tried.stdout.split('\n')).toEqual([
      'SUBJECT  TYPE   CITED      CITED  COMES  GOES',
      'Acme     brand  1      ->  3      2      0',
      'Sentences and links that come (2):',
      expect.stringMatching(/^  Acme, chatgpt 2026-11-19T08:00:00.000Z, run [0-9a-f-]{36}$/),
      '      Globex: [this](https://apex.com).',
      '      https://apex.com',
      expect.stringMatching(/^  Acme, chatgpt 2026-11-19T06:00:00.000Z, run [0-9a-f-]{36}$/),
      '      Globex, then Apex Ltd.',
      '',
    ]);
    expect(tried.stderr.replace(/ --database \S+/, '')).toBe(
      [
        'Judged all answers: 5. Who is cited would change in 2 of them.',
        '1 answer would no longer be scored, because the prompt would name the brand.',
        'Nothing was written. Run it without --dry-run to apply the changes.',
        `Then judge the stored answers again: overheard answers redetect --workspace w\n`,
      ].join('\n'),
    );
    expect(await everything(run)).toBe(before);

    await run(...change);
    const done = await run('answers', 'redetect', '--json');
    const preview = await run('subject', 'set', 'Acme', '--clear-aliases', '--dry-run', '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ recited: 2, sentences: { comes: 2, goes: 0 } });
    expect(JSON.parse(preview.stdout)).toMatchObject({
      recited: 1,
      branded: { comes: 0, goes: 1 },
      sentences: { goes: 1, comes: 0, examples: [{ sentence: 'Globex, then Apex Ltd.' }] },
    });
  });

  test('a dry run of subject add and remove shows who would be cited and who would no longer be', async () => {
    const run = await prepare();
    const before = await everything(run);
    const added = await run('subject', 'add', 'Apex', '--dry-run', '--json');
    expect(JSON.parse(added.stdout)).toMatchObject({
      answers: 5,
      recited: 2,
      subjects: [
        {
          subject: 'Apex',
          subject_type: 'competitor',
          cited_before: 0,
          cited_after: 2,
          comes: 2,
          goes: 0,
        },
      ],
    });
    const removed = await run('subject', 'remove', 'globex', '--dry-run', '--sentences', '1');
    expect(removed.stdout).toContain('Globex   competitor  3      ->  0      0      3\n');
    expect(removed.stdout).toContain('that go (3, 1 shown; --sentences shows more):\n');
    expect(await everything(run)).toBe(before);
  });

  test('a dry run of a change that is there already says so', async () => {
    const run = await prepare();
    const tried = await run('subject', 'set', 'Acme', '--name', 'Acme', '--dry-run');
    expect(tried).toMatchObject({ code: 0, stdout: '' });
    expect(tried.stderr).toMatch(/^Nothing would change: Acme \(.*\)\.\n.* in none of them\./);
  });

  test('a longer name takes the mentions of a shorter one, and both are shown', async () => {
    const run = await prepare([{ ...rows[1], answer: 'Globex Cloud is good.' }]);
    const { stdout } = await run('subject', 'add', 'Globex Cloud', '--dry-run');
    expect(stdout).toContain('Globex        competitor  1      ->  0      0      1\n');
    expect(stdout).toContain('Globex Cloud  competitor  0      ->  1      1      0\n');
    expect(stdout).toMatch(/that come \(1\):\n  Globex Cloud, .*\n {6}Globex Cloud is good\.\n/);
    expect(stdout).toMatch(/that go \(1\):\n  Globex, .*\n {6}Globex Cloud is good\.\n/);
  });

  test('the latest answers are judged, as many as --answers says', async () => {
    const many = Array.from({ length: 620 }, (_, index) => ({
      ...row,
      prompt: `Question ${index % 3}?`,
      run_at: new Date(Date.UTC(2026, 9, 1) + Math.floor(index / 3) * 60_000).toISOString(),
      answer: `Answer ${index} is Apex.`,
    }));
    const run = await prepare(many);
    const shown = async (...args: string[]): Promise<unknown> => {
      const { stdout } = await run('subject', 'add', 'Apex', '--dry-run', '--json', ...args);
      const { answers, subjects, sentences } = JSON.parse(stdout);
      return { answers, comes: subjects[0].comes, shown: sentences.examples.length };
    };
    expect(await shown()).toEqual({ answers: 500, comes: 500, shown: 10 });
    expect(await shown('--answers', 'all')).toEqual({ answers: 620, comes: 620, shown: 10 });
    const every = ['--answers', '600', '--sentences', '1000'];
    expect(await shown(...every)).toEqual({ answers: 600, comes: 600, shown: 600 });
    const latest = await run('subject', 'add', 'Apex', '--dry-run', '--answers', '2');
    expect(latest.stdout).toContain('Answer 619 is Apex.');
    expect(latest.stdout).toContain('Answer 618 is Apex.');
    expect(latest.stderr).toContain('Judged the latest 2 answers; --answers all judges all.');
  });

  test('the answers and names of another workspace play no part', async () => {
    const url = await create();
    const preview = async (slug: string): Promise<unknown> => {
      const words = ['--workspace', slug, '--database', url, '--dry-run', '--json'];
      const { stdout } = await runCommand(['subject', 'add', 'Apex', ...words], { clock });
      const { answers, subjects } = JSON.parse(stdout);
      return { answers, comes: subjects.map(({ comes }: { comes: number }) => comes) };
    };
    for (const [slug, brand, answers] of [
      ['one', 'Acme', rows],
      ['two', 'Apex Ltd', rows.slice(0, 1)],
    ] as const) {
      const target = ['--workspace', slug, '--database', url];
      const named = ['--name', slug, '--brand', brand, '--database', url];
      await runCommand(['workspace', 'create', slug, ...named], { clock });
      const stdin = JSON.stringify(answers);
      await runCommand(['answers', 'import', '-', ...target], { stdin, clock });
    }
    expect(await preview('one')).toEqual({ answers: 5, comes: [2] });
    expect(await preview('two')).toEqual({ answers: 1, comes: [1] });
  });

  test('a dry run of overheard subject is refused in the same words as the change', async () => {
    const run = await prepare();
    for (const change of [
      ['add', 'ACME'],
      ['add', 'X', '--alias-pattern', '('],
      ['add', 'X', '--domain', '10.0.0.1'],
      ['set', 'Globex', '--add-alias', 'Acme'],
      ['set', 'Glob', '--name', 'X'],
      ['set', 'Globex', '--remove-alias', 'None'],
      ['set', 'Globex'],
      ['remove', 'Acme'],
      ['remove', 'Nobody'],
    ]) {
      const tried = await run('subject', ...change, '--dry-run');
      const done = await run('subject', ...change);
      expect(tried).toEqual(done);
      expect(tried.code).toBeGreaterThan(0);
    }
  });

  test('the options of a dry run are refused without --dry-run, and with wrong numbers', async () => {
    const run = await prepare([]);
    const before = await everything(run);
    for (const words of [
      ['--answers', '5'],
      ['--sentences', '5'],
    ]) {
      const refused = await run('subject', 'add', 'Apex', ...words);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('--dry-run');
    }
    for (const number of ['0', '-1', 'some', '1.5']) {
      const wrong = await run('subject', 'remove', 'Globex', '--dry-run', '--answers', number);
      expect(wrong.code).toBe(2);
    }
    expect(await everything(run)).toBe(before);
    const none = await run('subject', 'remove', 'Globex', '--dry-run');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('The workspace has no answers to judge.');
  });
});
