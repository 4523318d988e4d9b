import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { aHit, writeRows } from '../../../../test/stores/rows.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const day = (back: number): string => new Date(nowMs - back * 86_400_000).toISOString();

eachDatabase('overheard actions after an upgrade', (create) => {
  test('the first command after an upgrade finds own pages that are no longer read', async () => {
    const url = await create();
    const run = (args: readonly string[], stdin = '') =>
      runCommand([...args, '--database', url], { stdin, clock: () => nowMs });
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.com'];
    await run(['workspace', 'create', 'acme', ...brand]);
    const answers = Array.from({ length: 6 }, (_, hour) => ({
      prompt: 'Which tool?',
      engine: 'chatgpt',
      run_at: new Date(nowMs - 86_400_000 + hour).toISOString(),
      answer: 'Acme.',
      sources: [{ url: 'https://acme.com/docs' }],
    }));
    await run(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(answers));
    const store = await openStore(url);
    const [workspace] = await store.reader.selectFrom('workspaces').select('id').execute();
    // The counts lack these hits, and have no version, as an older release left them.
    const hits = [
      { path: '/docs', hit_at: day(40) },
      { path: '/', hit_at: day(1) },
    ].map((hit) => aHit({ host: 'acme.com', ...hit }));
    await writeRows(store, workspace?.id ?? '', { hits });
    for (const table of ['hit_days', 'hit_pages', 'rollup_states'] as const) {
      await store.writer.deleteFrom(table).execute();
    }
    await store.close();
    const derive = (...args: string[]) =>
      run(['actions', 'derive', ...args, '--workspace', 'acme']);
    expect((await derive('--dry-run')).stderr).toContain('Get acme.com/docs read again');
    await derive();
    const { stdout } = await run(['actions', 'list', '--json', '--workspace', 'acme']);
    expect(JSON.parse(stdout)).toMatchObject({ actions: [{ kind: 'not read' }] });
  });
});
