import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { filled, place } from '../../../../test/answers/reporting.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { importText, toLines } from '../../../../test/answers/transferring.ts';
import { detections } from '../../../transfer/resources/detections.ts';

const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-19T06:00:00Z' };
const run = 'a0000000-0000-4000-8000-000000000001';

/** Texts and sources that a file format could change. */
const hostile: readonly object[] = [
  { ...row, answer: 'Acme, "Globex"; and\r\n\r\nInitech\t.\r', model: 'gpt-5' },
  {
    ...row,
    run_at: '2026-11-19T06:00:01Z',
    answer: '  =1+1 Acme \u{1f642} \u{202e}\u{200b}é e\u0301 ',
  },
  { ...row, run_at: '2026-11-19T06:00:02.003Z', answer: '\ufeffGlobex \\n {"a":1} \u2028 <b>' },
  { ...row, run_at: '2026-11-19T06:00:03Z', answer: '[{"url":"https://acme.com"}]' },
  { ...row, run_at: '2026-11-19T06:00:04Z', answer: 'No.', outcome: 'refused' },
  { ...row, run_at: '2026-11-19T06:00:05Z', answer: '' },
  { ...row, run_at: '2026-11-19T06:00:06Z', answer: 'Acme.', id: run, outcome: 'failed' },
  {
    ...row,
    prompt: 'Welches Werkzeug, „gut“?\nUnd warum?',
    language: 'de',
    locale: 'de-AT',
    engine: 'perplexity',
    answer: 'Globex und Initech.',
    sources: [
      { url: 'https://www.acme.com/a,b?c="d"', title: 'A, "B"\n=C' },
      { url: 'https://wiki.example/x|y z' },
    ],
  },
  { ...row, prompt: 'Is Acme good?', run_at: '2026-10-01T00:00:00Z', answer: 'Acme is.' },
  { ...row, prompt: 'Quel outil ?', language: 'fr', locale: 'de-CH', answer: 'Initech.' },
  { ...row, prompt_id: run, prompt: 'Before', run_at: '2026-11-01T00:00:00Z', answer: 'Acme.' },
  { ...row, prompt_id: run, prompt: 'After', run_at: '2026-11-02T00:00:00Z', answer: 'Globex.' },
];

const paths = ['scores', 'prompts', 'detections', 'shares?by=prompt', 'sources?by=page'];

async function withHostile(open: Open) {
  const here = await place(open);
  await importRows(here.store, here.workspaceId, hostile);
  return here;
}

eachStore('overheard answers', (open) => {
  test.each(['ndjson', 'json', 'csv'])(
    'an export of answers as %s is imported again with the same ids and the same bytes at the endpoints',
    async (format) => {
      const from = await withHostile(open);
      const exported = await from.run(`answers export --format ${format}`);
      expect(exported).toMatchObject({ code: 0, stderr: '' });
      const to = await place(open);
      const imported = await to.run(`answers import - --format ${format}`, {
        stdin: exported.stdout,
      });
      expect(imported).toMatchObject({ code: 0 });
      expect(imported.stderr).toContain(`Imported ${hostile.length} new runs.`);
      for (const path of [...paths, 'answers?from=2026-01-01']) {
        expect([path, await to.text(path)]).toEqual([path, await from.text(path)]);
      }
      const again = await from.run(`answers import - --format ${format}`, {
        stdin: exported.stdout,
      });
      expect(again.stderr).toContain(`Imported no new run; ${hostile.length} were there already.`);
      expect((await to.run(`answers export --format ${format}`)).stdout).toBe(exported.stdout);
    },
  );

  test('importing an export of prompts first restores texts and states that a person has set', async () => {
    const from = await withHostile(open);
    const [first] = JSON.parse(await from.text('prompts')).prompts;
    const edited = { ...first, text: 'Set by a person', active: false };
    const changed = await from.run('import prompts -', { stdin: JSON.stringify(edited) });
    expect(changed).toMatchObject({ code: 0 });
    const to = await place(open);
    for (const [exported, imported] of [
      ['export prompts', 'import prompts -'],
      ['answers export', 'answers import -'],
    ] as const) {
      const { stdout: stdin } = await from.run(exported);
      expect(await to.run(imported, { stdin })).toMatchObject({ code: 0 });
    }
    expect(await to.text('prompts')).toContain('Set by a person');
    for (const path of [...paths, 'answers?from=2026-01-01']) {
      expect([path, await to.text(path)]).toEqual([path, await from.text(path)]);
    }
  });

  test('overheard answers export has all days unless it is narrowed, by the filters of the list', async () => {
    const { run: type } = await withHostile(open);
    const exported = async (line: string) =>
      (await type(`answers export ${line}`)).stdout.split('\n').length - 1;
    expect(await exported('')).toBe(hostile.length);
    expect(await exported('--engine perplexity')).toBe(1);
    expect(await exported('--days 20')).toBe(hostile.length - 1);
    expect(await exported('--outcome refused')).toBe(1);
    expect(await exported('--to 2026-10-31')).toBe(1);
    expect(await type('answers export --engine perplexty')).toMatchObject({ code: 1, stdout: '' });
  });

  test('overheard answers list prints with --json what the API responds with, for each filter', async () => {
    const { run: type, read } = await filled(open);
    for (const [line, path] of [
      ['--limit 20', 'answers'],
      [
        '--engine gemini --locale de-DE --days 7',
        'answers?engine=gemini&locale=de-DE&from=2026-11-14',
      ],
      [
        '--subject globex --limit 50',
        'answers?subject_id=00000000-0000-4000-8000-000000000002&limit=50',
      ],
      ['--cited false --to 2026-10-31', 'answers?cited=false&to=2026-10-31'],
    ] as const) {
      const { code, stdout } = await type(`answers list ${line} --json`);
      expect([line, code]).toEqual([line, 0]);
      expect([line, JSON.parse(stdout)]).toEqual([line, await read(path)]);
      expect(JSON.parse(stdout).answers.length).toBeGreaterThan(1);
    }
    const { stdout, stderr } = await type('answers list --limit 60');
    expect(stdout.trim().split('\n')).toHaveLength(61);
    expect(stderr).toContain('More rows match than the 60 shown: see --limit.');
    const refused = JSON.parse((await type('answers list --outcome refused --json')).stdout);
    expect(refused.answers.length).toBeGreaterThan(0);
    for (const { outcome } of refused.answers) expect(outcome).toBe('refused');
  });

  test('overheard answers show prints the whole text with marks at every mention, and who is cited with the sources', async () => {
    const { store, workspaceId, run: type, slug } = await place(open);
    const answer = [
      '# Tools \u001b[31m',
      '',
      "**Globex** leads. Type `overheard key list`. Globex's price, not globexa.",
      'Try Acme.',
    ].join('\n');
    const sources = [{ url: 'https://www.acme.com/a', title: 'Acme\u0007' }];
    await importRows(store, workspaceId, [{ ...row, id: run, answer, sources }]);
    const { code, stdout } = await type('answers show A0000000', { calledAs: 'npx overheard' });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'chatgpt at 2026-11-19T06:00:00.000Z, answered',
        `run ${run}`,
        'asked: Which tool? (en-US)',
        '',
        '# Tools \ufffd[31m',
        '',
        "**[[Globex]]** leads. Type `overheard key list`. [[Globex's]] price, not globexa.",
        'Try [[Acme]].',
        '',
        'Cited, by rank:',
        '  1. Globex, named at 17',
        '       **Globex** leads.',
        '  2. Acme, named and linked at 93',
        '       Try Acme.',
        'Sources:',
        '  1. https://www.acme.com/a  Acme\ufffd (brand)',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await type('answers show a000 --json')).stdout);
    expect(json.answer.text).toBe(answer);
    expect(json.mentions.map(({ name }: { name: string }) => name)).toEqual([
      'Globex',
      'Globex',
      'Acme',
    ]);
    const missing = await type('answers show b0000000-0000-4000-8000-000000000002');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain(`overheard answers list --workspace ${slug}`);
    for (const short of ['a', 'A00']) {
      const refused = await type(`answers show ${short}`);
      expect([short, refused.code]).toEqual([short, 1]);
      expect(refused.stderr).toContain('Give at least the first 4 characters of its id');
    }
    expect(missing.stderr).not.toContain('4 characters');
    const detection = { run_id: `b${run.slice(1)}`, subject_type: 'brand', cited: true };
    await importText(
      store,
      { workspaceId, resource: detections },
      toLines([{ ...detection, engine: 'chatgpt', run_at: row.run_at }]),
    );
    expect((await type('answers show b000')).stderr).toContain('only its detections were imported');
  });

  test('answers list and show find nothing of another workspace', async () => {
    const { store, run: type } = await place(open);
    await importRows(store, await aWorkspace(store), [{ ...row, id: run, answer: 'Acme.' }]);
    expect(await type('answers show a0000000')).toMatchObject({ code: 1, stdout: '' });
    expect(await type('answers list')).toMatchObject({ code: 0, stdout: '' });
    expect(await type('answers export')).toMatchObject({ code: 0, stdout: '' });
  });
});

eachStore('overheard prompts list', (open) => {
  test('overheard prompts list shows each prompt with its runs, its last one, and how often the brand was cited', async () => {
    const { store, workspaceId, run: type, slug } = await place(open);
    expect((await type('prompts list')).stderr).toContain(
      `overheard answers import FILE --workspace ${slug}`,
    );
    const runs = Array.from({ length: 10 }, (_, index) => ({
      ...row,
      run_at: new Date(now - index * 86_400_000 * 5).toISOString(),
      answer: index % 2 === 0 ? 'Acme.' : 'Globex.',
    }));
    await importRows(store, workspaceId, [
      ...runs,
      { ...row, prompt: 'Is Acme good?', answer: 'Yes.' },
    ]);
    const { stdout } = await type('prompts list');
    expect(stdout).toMatch(
      /^[0-9a-f]{8} +Which tool\? +en-US +active +10 +2026-11-20 +50 % of 6 answers \(19 to 81\)$/m,
    );
    expect(stdout).toMatch(/ Is Acme good\? +en-US +active, branded +1 +2026-11-19 +-$/m);
    const { prompts } = JSON.parse((await type('prompts list --json --days 7')).stdout);
    expect(prompts.find(({ branded }: { branded: boolean }) => !branded)).toMatchObject({
      text: 'Which tool?',
      language: 'en',
      runs: 10,
      last_run_at: '2026-11-20T12:00:00.000Z',
      brand: { runs: 2, cited: 1 },
    });
  });
});
