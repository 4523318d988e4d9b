import { expect, test } from 'vitest';
import { setUp } from '../../../../test/answers/importing.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

/** Runs of one engine on three days, the first with the ids of `first` and its two successors. */
function runsOf(engine: string, first: number) {
  return [18, 19, 20].map((day, place) => ({
    id: idOf(first + place),
    prompt: 'Which CRM?',
    engine,
    run_at: `2026-11-${day}T06:00:00Z`,
    answer: 'Acme or Globex.',
    sources: ['https://g2.com/crm'],
  }));
}

async function prepare(create: Create) {
  const place = await setUp(create);
  const run = (...args: string[]) => place.command([...args, '--workspace', 'acme']);
  await run('subject', 'add', 'Globex');
  const importAnswers = (rows: readonly object[]) =>
    place.command(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(rows));
  await importAnswers(runsOf('chatgpt', 1));
  return {
    ...place,
    run,
    importAnswers,
    remove: (...args: string[]) => run('answers', 'remove', ...args),
    exported: async () => {
      const kinds = ['prompts', 'detections', 'scores', 'actions'];
      const outcomes = await Promise.all(kinds.map((kind) => run('export', kind)));
      return outcomes.map(({ stdout }) => stdout);
    },
  };
}

eachDatabase({ title: 'overheard answers remove', onBoth: true }, (create) => {
  test('removing the answers of an engine restores the earlier scores and report counts', async () => {
    const { url, run, importAnswers, remove, exported } = await prepare(create);
    const before = await exported();
    await importAnswers(runsOf('gemini', 11));
    expect(await exported()).not.toEqual(before);
    const { code, stderr } = await remove('--engine', 'gemini', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('Removed 3 runs with 6 detections.');
    expect(stderr).toContain('3 daily scores from 2026-11-18 to 2026-11-20 changed.');
    expect(await exported()).toEqual(before);
    expect((await run('scores', 'rebuild', '--dry-run')).stderr).toContain('0 of them would');
    const store = await openStore(url);
    for (const table of ['run_counts', 'source_counts', 'answers'] as const) {
      const { count } = await store.reader
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(count).toBe(3);
    }
    await store.close();
  });

  test(
    'removing answers restores the imported score that two imports of answers replaced',
    { tags: ['once'] },
    async () => {
      const { bring, importAnswers, remove, exported } = await prepare(create);
      const figures = { citations: 40, total_runs: 50, sov: 0.8 };
      await bring('scores', [{ date: '2026-11-18', engine: 'gemini', ...figures }]);
      const before = await exported();
      await importAnswers(runsOf('gemini', 11));
      await importAnswers(runsOf('gemini', 21).map((run) => ({ ...run, answer: 'Acme.' })));
      await remove('--engine', 'gemini', '--yes');
      expect(await exported()).toEqual(before);
    },
  );

  test(
    'removing answers by days includes both ends of the period and nothing else',
    { tags: ['once'] },
    async () => {
      const { run, remove } = await prepare(create);
      const days = ['--from', '2026-11-18', '--to', '2026-11-19'];
      expect((await remove('--engine', 'chatgpt', ...days, '--yes')).stderr).toContain(
        'Removed 2 runs',
      );
      const { stdout } = await run('export', 'scores');
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).date),
      ).toEqual(['2026-11-20']);
    },
  );

  test('removing answers by ids and by import takes the runs that match both', async () => {
    const { importAnswers, remove } = await prepare(create);
    await importAnswers(runsOf('gemini', 11));
    const both = await remove(idOf(1), idOf(12), '--import', '2', '--dry-run', '--json');
    expect(JSON.parse(both.stdout)).toMatchObject({
      dry_run: true,
      runs: 1,
      detections: 2,
      scores: [{ date: '2026-11-19', engine: 'gemini', after: null }],
      actions: { removed: 0, opened: 0, updated: 0 },
    });
    expect((await remove(idOf(1), '--yes')).stderr).toContain('Removed 1 run with 2 detections.');
    expect((await remove('--import', '2', '--yes')).stderr).toContain('Removed 3 runs');
    expect((await remove('--import', '2', '--yes')).stderr).toContain('No answer matches');
  });

  test(
    'overheard answers remove shows what would be removed and removes nothing without a terminal, or in a dry run',
    { tags: ['once'] },
    async () => {
      const { remove, exported } = await prepare(create);
      const before = await exported();
      const refused = await remove('--engine', 'chatgpt');
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes.') });
      expect(refused.stderr).toContain('Would remove 3 runs with 6 detections.');
      expect(refused.stdout).toMatch(/2026-11-18 +chatgpt/);
      expect(await remove('--engine', 'chatgpt', '--dry-run')).toMatchObject({ code: 0 });
      expect(await exported()).toEqual(before);
    },
  );

  test(
    'overheard answers remove leaves runs alone that were imported with their detections, and another workspace’s',
    { tags: ['once'] },
    async () => {
      const { command, bring, remove, listed } = await prepare(create);
      await bring('detections', [
        {
          run_id: idOf(50),
          subject_type: 'brand',
          cited: true,
          engine: 'chatgpt',
          run_at: '2026-11-19T06:00:00Z',
        },
      ]);
      await command(['workspace', 'create', 'other', '--name', 'O', '--brand', 'Acme']);
      const other = ['answers', 'import', '-', '--workspace', 'other'];
      await command(other, JSON.stringify(runsOf('chatgpt', 1)));
      expect((await remove('--engine', 'chatgpt', '--yes')).stderr).toContain('Removed 3 runs');
      expect(await listed('detections')).toHaveLength(1);
      expect(await listed('detections', 'other')).toHaveLength(3);
      const list = ['answers', 'list', '--workspace', 'other', '--from', '2026-11-01', '--json'];
      expect(JSON.parse((await command(list)).stdout).answers).toHaveLength(3);
    },
  );
});
