import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../../test/answers/answers.ts';
import { filled, place } from '../../../../test/answers/reporting.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';

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

  test('answers list and show find nothing of another workspace', async () => {
    const { store, run: type } = await place(open);
    await importRows(store, await aWorkspace(store), [{ ...row, id: run, answer: 'Acme.' }]);
    expect(await type('answers show a0000000')).toMatchObject({ code: 1, stdout: '' });
    expect(await type('answers list')).toMatchObject({ code: 0, stdout: '' });
    expect(await type('answers export')).toMatchObject({ code: 0, stdout: '' });
  });
});
