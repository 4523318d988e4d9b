import { expect, test } from 'vitest';
import { agentHits } from '@overheard/contract';
import { eachStore } from '../../test/stores.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { createCalendar } from './calendar.ts';
import { fillHits } from './fill-hits.ts';
import { demoLog } from './log.ts';
import { createRandom } from './random.ts';

const now = Date.parse('2026-11-20T12:34:56.789Z');
const clock = (): number => now;

eachStore("the demo's log", (open) => {
  test('becomes hits of every category and verification, among the latest 500 too', async () => {
    const { store } = await open();
    const brand = { name: 'Acme' };
    const { id } = await createWorkspace(store, { slug: 'demo', name: 'Demo', brand, clock });
    const log = demoLog({ calendar: createCalendar(now), random: createRandom(7) });
    const { signal } = new AbortController();
    expect(await fillHits(store, id, { log, clock, signal })).toBe(3000);
    const rows = await store.reader
      .selectFrom('hits')
      .select(agentHits.row.keyof().options)
      .where('workspace_id', '=', id)
      .orderBy('hit_at', 'desc')
      .execute();
    expect(agentHits.row.array().safeParse(rows).error).toBeUndefined();
    expect(rows[0]?.hit_at.localeCompare(new Date(now).toISOString())).toBe(-1);
    for (const some of [rows, rows.slice(0, 500)]) {
      expect(new Set(some.map(({ verification }) => verification)).size).toBe(3);
      expect(new Set(some.map(({ category }) => category)).size).toBe(3);
    }
  });
});
