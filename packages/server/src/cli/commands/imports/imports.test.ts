import { expect, test } from 'vitest';
import { firstWrite } from '../../../../test/commands/first-write.ts';
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
    const many = Array.from({ length: 1000 }, (_, place) => ({
      ...answers[0],
      run_at: new Date(Date.UTC(2026, 9, 1) + place * 60_000).toISOString(),
    }));
    await importAnswers(many);
    const whole = await exported();
    const words = ['imports', 'revert', '1', '--yes', '--workspace', 'acme', '--database', url];
    const { child, ended } = spawnCommand(words);
    await firstWrite(sqlitePath(url), child);
    child.kill('SIGKILL');
    await ended;
    expect([empty, whole]).toContainEqual(await exported());
    expect(await spawnCommand(words).ended).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(empty);
  });
});
