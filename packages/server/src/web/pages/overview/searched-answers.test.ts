import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { aVisitor } from '../../../../test/browsers/a-visitor.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachStore } from '../../../../test/stores/stores.ts';

eachStore({ title: 'figures of answers that searched', onBoth: false }, (open) => {
  test('a page counts only answers whose engine searched, and says of how many that is unknown', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const rows = [['best crm'], [], undefined, undefined].map((queries, hour) => ({
      prompt: 'Who?',
      engine: 'chatgpt',
      run_at: `2026-11-18T0${hour}:00:00Z`,
      answer: hour === 0 ? 'Acme.' : 'Globex.',
      queries,
    }));
    await importRows(store, workspaceId, rows);
    const { text } = await aVisitor(store, { workspaceId });
    expect(await text('?searched=yes')).toMatch(
      /Appears in 100 % of 1 answer .*whose engine searched are counted\. Left out: 2 answers of engines that do not say/,
    );
    expect(await text('?searched=no')).toMatch(/Appears in 0 % of 1 answer /);
    expect(await text('')).toMatch(
      /Searched or not.*Appears in 25 % of 4 answers|Appears in 25 % of 4 answers.*Searched or not/,
    );
  });

  test('with a filter of searches, the unknown answers are those of the head figures, and all if none is counted', async () => {
    const { store, url } = await open();
    const workspaceId = await aWorkspace(store);
    const run = (engine: string, hour: number, queries?: readonly string[]) => ({
      prompt: 'Who?',
      engine,
      run_at: `2026-11-18T0${hour}:00:00Z`,
      answer: 'Acme.',
      queries,
    });
    const apis = [3, 4, 5].map((hour) => run('chatgpt_api', hour));
    await importRows(store, workspaceId, [...apis, run('chatgpt', 1)]);
    const { text } = await aVisitor(store, { workspaceId });
    expect(await text('?searched=yes')).toMatch(
      /No answer matches.*Left out: 4 answers of engines/,
    );
    const { slug } = await store.reader
      .selectFrom('workspaces')
      .select('slug')
      .executeTakeFirstOrThrow();
    const line = ['shares', '--workspace', slug, '--searched', 'yes', '--database', url];
    const { stderr } = await runCommand(line, { clock: () => now });
    expect(stderr).toContain('match neither --searched yes nor no');
    await importRows(store, workspaceId, [run('chatgpt', 2, ['crm'])]);
    expect(await text('?searched=yes')).toContain('Left out: 1 answer of engines');
  });
});
