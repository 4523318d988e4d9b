import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import type { Outcome } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { DataTables } from '../../storage/schema.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = {
  prompt: 'Which CRM suits a small agency?',
  engine: 'chatgpt',
  run_at: '2026-11-19T06:00:00Z',
  answer: 'Take **Globex** or [Acme](https://acme.com).',
};

eachDatabase('overheard answers import', (create) => {
  /** A workspace with a brand and a competitor, and functions that read it. */
  async function prepare() {
    const url = await create();
    const run = (args: readonly string[], stdin: string | Uint8Array = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.com'];
    await run(['workspace', 'create', 'acme', ...brand]);
    await run(['subject', 'add', 'Globex', '--workspace', 'acme', '--domain', 'globex.com']);
    return { url, run, importRows, rows };

    function importRows(content: unknown, ...options: string[]): Promise<Outcome> {
      const isText = typeof content === 'string';
      const stdin = isText ? content : JSON.stringify(content);
      return run(['answers', 'import', '-', '--workspace', 'acme', ...options], stdin);
    }

    async function rows(table: keyof DataTables, order: string[]): Promise<unknown[]> {
      const store = await openStore(url);
      try {
        let query = store.reader.selectFrom(table).selectAll();
        for (const column of order) query = query.orderBy(store.reader.dynamic.ref(column));
        return await query.execute();
      } finally {
        await store.close();
      }
    }
  }

  test('an answer becomes a prompt, a run, detections with their ground, and a score', async () => {
    const { importRows, rows } = await prepare();
    const imported = await importRows([row]);
    expect(imported).toMatchObject({ code: 0, stdout: '' });
    expect(imported.stderr).toContain('Imported 1 new run.\n');
    expect(await rows('prompts', ['id'])).toMatchObject([
      { text: row.prompt, language: 'en', locale: 'en-US', created_at: '2026-11-19T06:00:00.000Z' },
    ]);
    expect(await rows('runs', ['id'])).toMatchObject([
      { engine: 'chatgpt', run_at: '2026-11-19T06:00:00.000Z', outcome: 'answered', model: null },
    ]);
    const detections = await rows('detections', ['subject_type']);
    expect(detections).toMatchObject([
      { subject_type: 'brand', position: 20, rank: 2, alias: 'Acme', url: 'https://acme.com' },
      { subject_type: 'competitor', position: 7, rank: 1, alias: 'Globex', url: null },
    ]);
    expect(detections).toMatchObject([{ sentence: row.answer }, { sentence: row.answer }]);
    expect(await rows('scores', ['date'])).toMatchObject([
      {
        date: '2026-11-19',
        engine: 'chatgpt',
        citations: 1,
        total_runs: 1,
        sov: 0.5,
        origin: 'derived',
      },
    ]);
  });

  test('importing the same file again changes nothing, not even the revision', async () => {
    const { importRows, rows } = await prepare();
    await importRows([row, { ...row, run_at: '2026-11-18T06:00:00+02:00' }]);
    const before = await rows('revisions', ['workspace_id']);
    const again = await importRows([row, { ...row, run_at: '2026-11-18T04:00:00.0009Z' }]);
    expect(again.stderr).toContain('Imported no new run; 2 were there already.\n');
    expect(await rows('revisions', ['workspace_id'])).toEqual(before);
  });

  test(
    'a dry run of an import reports the same and writes nothing',
    { tags: ['once'] },
    async () => {
      const { importRows, rows } = await prepare();
      const tried = await importRows([row], '--dry-run');
      expect(tried.stderr).toContain('Would import 1 new run.\n');
      expect(tried.stderr).toContain('1 daily score is new or changed');
      for (const table of ['runs', 'answers', 'detections', 'scores', 'prompts'] as const) {
        expect(await rows(table, [])).toEqual([]);
      }
    },
  );

  test(
    'equal rows count once, and the summary says how to keep them apart',
    { tags: ['once'] },
    async () => {
      const { importRows, rows } = await prepare();
      const id = '11111111-1111-4111-8111-111111111111';
      const imported = await importRows([row, row, { ...row, id }]);
      expect(imported.stderr).toContain('Imported 2 new runs.\n');
      expect(imported.stderr).toMatch(
        /1 row equals an earlier one and counts once\..* id, or a run_at/,
      );
      expect(await rows('runs', ['id'])).toHaveLength(2);
    },
  );

  test('refused, empty and failed runs are stored, reported, and never counted', async () => {
    const { importRows, rows } = await prepare();
    const imported = await importRows([
      { ...row, outcome: 'refused', answer: 'I cannot speak about Acme.' },
      { ...row, answer: ' \n ' },
      { ...row, answer: undefined },
      { ...row, outcome: 'failed', answer: null, model: 'm-1' },
      { ...row, outcome: 'answered', answer: '', model: 'm-2' },
      row,
    ]);
    expect(imported.stderr).toContain('Kept, but not counted: 1 refused, 3 empty, 1 failed.');
    expect(await rows('answers', [])).toHaveLength(6);
    expect(await rows('detections', [])).toHaveLength(2);
    expect(await rows('scores', ['date'])).toMatchObject([{ citations: 1, total_runs: 1 }]);
  });

  test('a prompt that names the brand is detected and not scored', { tags: ['once'] }, async () => {
    const { importRows, rows } = await prepare();
    const imported = await importRows([{ ...row, prompt: "Is ACME's CRM good?" }]);
    expect(imported.stderr).toContain('1 answered run is of prompts that name the brand');
    expect(await rows('detections', [])).toHaveLength(2);
    expect(await rows('scores', [])).toEqual([]);
  });

  test('a derived score takes the place of an imported one of the same day, and says so', async () => {
    const { url, importRows, rows } = await prepare();
    const store = await openStore(url);
    const [workspace] = await store.reader.selectFrom('workspaces').select('id').execute();
    await store.writer
      .insertInto('scores')
      .values(
        ['2026-11-19', '2026-11-18'].map((date) => ({
          workspace_id: workspace?.id ?? '',
          id: `00000000-0000-4000-8000-0000${date.replaceAll('-', '')}`,
          date,
          engine: 'chatgpt',
          citations: 40,
          total_runs: 50,
          sov: 0.8,
          origin: 'imported' as const,
        })),
      )
      .execute();
    await store.close();
    const imported = await importRows([row]);
    expect(imported.stderr).toContain('1 of them replaces an imported score.');
    expect(await rows('scores', ['date'])).toMatchObject([
      { date: '2026-11-18', origin: 'imported', citations: 40 },
      { date: '2026-11-19', origin: 'derived', citations: 1, total_runs: 1, sov: 0.5 },
    ]);
  });

  test('CSV and mapped columns say the same as NDJSON', { tags: ['once'] }, async () => {
    const { importRows, rows } = await prepare();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const map = join(folder, 'map.json');
    const mapping = {
      prompt: 'question',
      answer: 'reply.text',
      engine: { column: 'bot', values: { ChatGPT: 'chatgpt' } },
      run_at: 'when',
      locale: { value: 'en-US' },
      sources: 'links',
    };
    await writeFile(map, JSON.stringify(mapping));
    const sources = ['https://a.example/1', 'https://acme.com/2'];
    const { prompt: question, run_at: when, answer: text } = row;
    await importRows([{ ...row, sources }]);
    const mapped = { question, when, bot: 'ChatGPT', reply: { text }, links: sources, other: 1 };
    const second = await importRows(JSON.stringify(mapped), '--map', map);
    expect(second.stderr).toContain('no new run; 1 was there already.');
    const csv = `prompt,engine,run_at,answer,sources\n"${row.prompt}",chatgpt,${when},"${text}",${sources.join(' ')}\n`;
    const third = await importRows(csv);
    expect(third.stderr).toContain('no new run; 1 was there already.');
    expect(await rows('runs', [])).toHaveLength(1);
  });

  test('a bad row refuses the whole file, with line and field', { tags: ['once'] }, async () => {
    const { importRows, rows } = await prepare();
    const bad: ReadonlyArray<readonly [row: Record<string, unknown>, words: RegExp]> = [
      [
        { ...row, run_at: '2026-11-20T12:06:00Z' },
        /:2: field "run_at": expected a moment that has/,
      ],
      [{ ...row, prompt: undefined }, /:2: field "prompt": expected the text .* or a prompt_id/],
      [{ ...row, answer: 'a\0b' }, /:2: field "answer": expected text without NUL/],
      [{ ...row, anwser: 'x' }, /:2: field "anwser": expected answer; there is no field/],
    ];
    for (const [second, words] of bad) {
      const refused = await importRows(`${JSON.stringify(row)}\n${JSON.stringify(second)}\n`);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
      expect(refused.stderr).toContain('Nothing was imported.');
    }
    const half = await importRows(`${JSON.stringify(row).replace('Take', '\\ud83d')}\n`);
    expect(half.stderr).toMatch(/:1: field "answer": expected well-formed text/);
    expect(await rows('runs', [])).toEqual([]);
  });

  test("another workspace's prompt_id is as unknown as any", { tags: ['once'] }, async () => {
    const { run, importRows, rows } = await prepare();
    await importRows([row]);
    const [prompt] = (await rows('prompts', [])).flatMap((one) =>
      typeof one === 'object' && one !== null && 'id' in one ? [String(one.id)] : [],
    );
    await run(['workspace', 'create', 'other', '--name', 'Other', '--brand', 'Other']);
    const foreign = { ...row, prompt: undefined, prompt_id: prompt };
    const command = ['answers', 'import', '-', '--workspace'];
    const refused = await run([...command, 'other'], JSON.stringify(foreign));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"prompt_id"') });
    const known = await run([...command, 'acme'], JSON.stringify({ ...foreign, engine: 'claude' }));
    expect(known).toMatchObject({ code: 0 });
  });

  test(
    'the same id with another answer is refused, and both are shown',
    { tags: ['once'] },
    async () => {
      const { importRows, rows } = await prepare();
      const id = '33333333-3333-4333-8333-333333333333';
      const [first, second] = [
        { ...row, id },
        { ...row, id, answer: 'Another.' },
      ];
      const inFile = await importRows(`${JSON.stringify(first)}\n${JSON.stringify(second)}`);
      expect(inFile.stderr).toMatch(
        /:2: field "answer": expected "Take .*" as in line 1, .*found "Another\."/,
      );
      expect(await rows('runs', [])).toEqual([]);
      await importRows([first]);
      const later = await importRows([second]);
      expect(later).toMatchObject({ code: 1 });
      expect(later.stderr).toMatch(
        /"answer": expected "Take .*" as it is stored.*found "Another\."/,
      );
      const sources = await importRows([{ ...first, sources: ['https://x.example'] }]);
      expect(sources.stderr).toMatch(/field "sources": expected \[\] as it is stored/);
    },
  );

  test(
    'an alias of one letter is warned of, a pattern that cannot be used is refused',
    { tags: ['once'] },
    async () => {
      const { run, importRows } = await prepare();
      await run(['subject', 'add', 'X', '--workspace', 'acme']);
      expect((await importRows([row])).stderr).toMatch(
        /Warning: The alias "X" of X is one character/,
      );
      const pattern = ['--alias-pattern', '(?=y)y+'];
      const refused = await run(['subject', 'add', 'Y Corp', '--workspace', 'acme', ...pattern]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toMatch(
        /alias pattern "\(\?=y\)y\+" is not a regular expression.*no lookaround/,
      );
      const slow = ['--alias-pattern', '(y+)+z'];
      await run(['subject', 'add', 'Y Corp', '--workspace', 'acme', ...slow]);
      const hostile = { ...row, engine: 'claude', answer: 'y'.repeat(100_000) };
      expect(await importRows([hostile])).toMatchObject({ code: 0 });
    },
  );

  test('an answer of ten megabytes is judged to its end', { tags: ['long', 'once'] }, async () => {
    const { importRows, rows } = await prepare();
    const answer = `${'All of these are fine tools. '.repeat(350_000)}Acme is last.`;
    expect(await importRows([{ ...row, answer }])).toMatchObject({ code: 0 });
    expect(await rows('detections', ['subject_type'])).toMatchObject([
      { position: answer.length - 'Acme is last.'.length, rank: 1, sentence: 'Acme is last.' },
      { position: null },
    ]);
  });
});
