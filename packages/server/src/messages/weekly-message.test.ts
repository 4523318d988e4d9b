import { expect, test } from 'vitest';
import { newTenant } from '../../test/servers/api.ts';
import { writeReading } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
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
        const where = { atMs, publicUrl: 'http://overheard.example' };
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
});
