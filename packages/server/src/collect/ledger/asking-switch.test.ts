import { expect, test } from 'vitest';
import { newTenant } from '../../../test/servers/api.ts';
import { writeReading } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readSilence } from './asking-switch.ts';

const nowMs = Date.parse('2026-11-24T12:00:00.000Z');
const since = '2026-10-01T00:00:00.000Z';

eachStore({ title: 'silence', onBoth: false }, (open) => {
  test('a workspace is silent 2 days after its last answer, its first question or the switch', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const other = await newTenant(store);
    const facts = { since, sweeps: 3, promptsOn: 1, lastAnswerAt: '2026-11-22T12:00:00.000Z' };
    const read = (more: Partial<typeof facts> | { since: null } | { lastAnswerAt: null } = {}) =>
      readSilence(store, workspaceId, { facts: { ...facts, ...more }, nowMs });
    await writeReading(store, other.workspaceId, { day: '2026-11-01' });
    expect(await read()).toBeUndefined();
    await writeReading(store, workspaceId, { day: '2026-11-20' });
    await writeReading(store, workspaceId, { day: '2026-11-23' });
    expect(await read()).toBe(facts.lastAnswerAt);
    expect(await read({ lastAnswerAt: null })).toBe('2026-11-20T12:00:00.000Z');
    expect(await read({ lastAnswerAt: '2026-11-22T12:00:00.001Z' })).toBeUndefined();
    expect(await read({ since: '2026-11-23T00:00:00.000Z' })).toBeUndefined();
    for (const unasked of [{ since: null }, { sweeps: 0 }, { promptsOn: 0 }]) {
      expect(await read(unasked)).toBeUndefined();
    }
  });
});
