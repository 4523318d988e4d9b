import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { least, setUp } from '../../../../test/answers/importing.ts';
import { aPrompt, idOf, writeRows } from '../../../../test/stores/rows.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';
import { openStore } from '../../../storage/open/open-store.ts';

/** Six runs of one prompt on the day of `at`, which all miss the brand. */
const answers = Array.from({ length: 6 }, (_, hour) => ({
  prompt: 'Which CRM?',
  engine: 'chatgpt',
  run_at: `2026-11-20T0${hour}:00:00Z`,
  answer: 'Globex.',
}));

async function prepare(create: Create) {
  const place = await setUp(create);
  const run = (...args: string[]) => place.command([...args, '--workspace', 'acme']);
  await run('subject', 'add', 'Globex');
  return {
    ...place,
    run,
    importAnswers: (rows: readonly object[], ...flags: string[]) =>
      place.command(
        ['answers', 'import', '-', '--workspace', 'acme', ...flags],
        JSON.stringify(rows),
      ),
    exported: async () => {
      const kinds = ['prompts', 'detections', 'scores', 'actions', 'hits'];
      const outcomes = await Promise.all(kinds.map((kind) => run('export', kind)));
      return outcomes.map(({ stdout }) => stdout);
    },
  };
}

eachDatabase('overheard imports', (create, dialect) => {
  test('overheard imports list has every import that was written, the last first, and no dry run or refused file', async () => {
    const { run, bring, importAnswers } = await prepare(create);
    await bring('scores', [least.scores]);
    await bring('scores', [{ ...least.scores, citations: 2 }], { flags: ['--dry-run'] });
    await bring('scores', [{ ...least.scores, citations: 9 }]);
    await bring('scores', [
      { ...least.scores, citations: 2 },
      { ...least.scores, engine: 'claude' },
    ]);
    await importAnswers(answers);
    const { stdout } = await run('imports', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      imports: [
        { id: 3, kind: 'answers', rows_new: 6, rows_changed: 0, reverted_at: null },
        { id: 2, kind: 'scores', rows_new: 1, rows_changed: 1, rows_unchanged: 0 },
        {
          id: 1,
          kind: 'scores',
          file: 'standard input',
          content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          imported_at: '2026-11-20T12:34:56.789Z',
          imported_by: null,
        },
      ],
    });
    expect((await run('imports', 'list')).stdout).toMatch(/^ID +KIND +FILE/);
  });

  test('overheard imports revert of a misspelt engine brings the imported scores and the actions back that were there before', async () => {
    const { run, bring, importAnswers, exported } = await prepare(create);
    await bring('scores', [{ ...least.scores, engine: 'grok' }]);
    await importAnswers(answers);
    await run('actions', 'derive');
    const before = await exported();
    const other = answers.map((row) => ({ ...row, engine: 'grok', prompt: 'Which ERP?' }));
    await importAnswers(other);
    await run('actions', 'derive');
    expect(await exported()).not.toEqual(before);
    const { code, stderr } = await run('imports', 'revert', '3', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('Removed 6 runs, 12 detections, 1 prompt.');
    expect(stderr).toMatch(/Derived actions changed: [1-9]\d* removed/);
    expect(await exported()).toEqual(before);
    const again = await run('imports', 'revert', '3');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to do') });
    expect(await exported()).toEqual(before);
  });

  test('an action that a person has set stays, and is listed', async () => {
    const { run, bring, listed } = await prepare(create);
    const actions = [1, 2].map((number) => ({ ...least.actions, id: idOf(number) }));
    await bring('actions', actions);
    await run('actions', 'set', idOf(2), '--status', 'in_progress');
    const { stderr } = await run('imports', 'revert', '1', '--yes');
    expect(stderr).toContain('Removed 1 action.');
    expect(stderr).toContain(
      `1 action stays, because it was changed since, or other rows need it: ${idOf(2)}`,
    );
    expect((await listed('actions')).map(({ id }) => id)).toEqual([idOf(2)]);
  });

  test('rows that a later import has, too, stay until it is reverted', async () => {
    const { run, bring, listed } = await prepare(create);
    const rows = ['chatgpt', 'claude', 'gemini'].map((engine) => ({ ...least.scores, engine }));
    await bring('scores', rows);
    await bring('scores', rows.slice(0, 2));
    const { stderr } = await run('imports', 'revert', '1', '--yes');
    expect(stderr).toContain('Removed 1 score.');
    expect(stderr).toContain('2 scores stay, because import 2 also has them');
    expect(await listed('scores')).toHaveLength(2);
    expect((await run('imports', 'revert', '2', '--yes')).stderr).toContain('Removed 2 scores.');
    expect(await listed('scores')).toEqual([]);
  });

  test('rows of before imports were recorded stay, whichever import had them again', async () => {
    const { url, run, bring, listed } = await prepare(create);
    const store = await openStore(url);
    const { id } = await store.reader
      .selectFrom('workspaces')
      .select('id')
      .executeTakeFirstOrThrow();
    const prompt = aPrompt({ id: idOf(1) });
    await writeRows(store, id, { prompts: [prompt] });
    await store.close();
    await bring('prompts', [{ ...prompt, text: 'Reworded?' }]);
    expect((await run('imports', 'revert', '1', '--yes')).stderr).toContain(
      '1 row that the import changed stays changed',
    );
    expect(await listed('prompts')).toMatchObject([{ text: 'Reworded?' }]);
  });

  test('another workspace’s import of the same number stays', async () => {
    const { command, bring, listed } = await setUp(create, ['acme', 'other']);
    await bring('scores', [least.scores]);
    await bring('scores', [least.scores], { slug: 'other' });
    await command(['imports', 'revert', '1', '--workspace', 'acme', '--yes']);
    expect(await listed('scores')).toEqual([]);
    expect(await listed('scores', 'other')).toHaveLength(1);
  });

  test('two that revert one import at once remove its rows once', async () => {
    const { url, importAnswers, exported } = await prepare(create);
    const before = await exported();
    await importAnswers(answers);
    const words = ['imports', 'revert', '1', '--yes', '--workspace', 'acme', '--database', url];
    const outcomes = await Promise.all([1, 2].map(() => spawnCommand(words).ended));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    const removing = outcomes.filter(({ stderr }) => stderr.includes('Removed 6 runs'));
    expect(removing).toHaveLength(1);
    expect(await exported()).toEqual(before);
  });

  // PostgreSQL ends the transaction of a connection that is gone.
  test.runIf(dialect === 'sqlite')('a killed revert has removed all or nothing', async () => {
    const { url, importAnswers, exported } = await prepare(create);
    const empty = await exported();
    const many = Array.from({ length: 3000 }, (_, place) => ({
      ...answers[0],
      run_at: new Date(Date.UTC(2026, 9, 1) + place * 60_000).toISOString(),
    }));
    await importAnswers(many);
    const whole = await exported();
    const words = ['imports', 'revert', '1', '--yes', '--workspace', 'acme', '--database', url];
    const { child, ended } = spawnCommand(words);
    await writingBegins(sqlitePath(url), child);
    child.kill('SIGKILL');
    await ended;
    expect([empty, whole]).toContainEqual(await exported());
    expect(await spawnCommand(words).ended).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(empty);
  });
});

/** Waits until a process, still running, has written to the journal beside the file. */
async function writingBegins(path: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const { size } = await stat(`${path}-wal`).catch(() => ({ size: 0 }));
    if (size > 0) return;
    await setTimeout(2);
  }
}
