import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { newTenant } from '../../test/servers/api.ts';
import { writeReading } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { tagPrompts } from '../workspaces/tags.ts';
import { writeWeeklyMessage } from './weekly-message.ts';

eachStore('the weekly message', (open) => {
  test('says what asking cost in its seven days, of this workspace alone, and nothing without a bill', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const other = await newTenant(store);
    const textOf = async () => {
      const { db, release } = await store.snapshot({ workspaceId });
      try {
        const atMs = Date.parse('2026-11-23T08:00:00Z');
        const where = { atMs, publicUrl: 'http://overheard.example', tag: null };
        const { text } = await writeWeeklyMessage(store, { db, workspaceId }, where);
        return text;
      } finally {
        await release();
      }
    };
    expect(await textOf()).not.toContain('cost');
    const bill = (of: string, day: string, micros: number | null) =>
      writeReading(store, of, { day, state: 'done', cost_micros: micros });
    await bill(workspaceId, '2026-11-15', 8_000_000);
    await bill(workspaceId, '2026-11-16', 1_000_000);
    await bill(workspaceId, '2026-11-22', 230_000);
    await bill(workspaceId, '2026-11-22', null);
    await bill(workspaceId, '2026-11-23', 8_000_000);
    await bill(other.workspaceId, '2026-11-22', 8_000_000);
    expect(await textOf()).toContain('\nAsking engines cost $1.23 in the last 7 days.\n');
  });

  test('with a tag, tells the changes of its prompts alone, and leads to their figures', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const atMs = Date.parse('2026-11-23T08:00:00Z');
    const rows = ['tents', 'boots'].flatMap((what) =>
      Array.from({ length: 80 }, (_, index) => ({
        prompt: `Which ${what} are best?`,
        engine: 'chatgpt',
        run_at: new Date(atMs - (index + 8) * 12 * 3_600_000 - 1).toISOString(),
        answer: index < 48 ? 'Globex.' : 'Acme.',
      })),
    );
    await importRows(store, workspaceId, rows);
    const prompt = await store.reader
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('text', 'like', '%boots%')
      .executeTakeFirstOrThrow();
    await tagPrompts(store, workspaceId, { ids: [prompt.id], tag: 'Winter shoes' });
    const source = { db: store.reader, workspaceId };
    const write = async (tag: string | null) =>
      (await writeWeeklyMessage(store, source, { atMs, publicUrl: 'http://o.example', tag })).text;
    const [all, tagged] = [await write(null), await write('winter shoes')];
    expect(all).toContain('tents');
    expect(tagged).not.toContain('tents');
    expect(tagged).toContain('boots');
    expect(tagged).toMatch(
      /Acme, prompts tagged Winter shoes, .*: http:.*\?to=2026-11-22&tag=Winter\+shoes$/,
    );
  });
});
