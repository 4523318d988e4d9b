import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachStore } from '../../test/stores/stores.ts';
import { createLastUse } from './authenticate.ts';

const nowMs = Date.parse('2026-11-20T12:34:56.789Z');
const fiveMinutesMs = 300_000;

eachStore('the last use of a key', (open) => {
  async function noting() {
    const { store } = await open();
    const noted: string[] = [];
    const touchKey = async (keyId: string) => void noted.push(keyId);
    const noteUse = createLastUse({
      store: { ...store, touchKey },
      clock: () => nowMs,
      onFailure: () => {},
    });
    return { noteUse, noted };
  }
  const used = (keyId: string, lastMs: number) =>
    ({ keyId, workspaceId: 'w', lastUsedAt: new Date(lastMs).toISOString() }) as const;

  test('the last use of a key is noted after the response, once if several requests come together', async () => {
    const { noteUse, noted } = await noting();
    for (let time = 0; time < 3; time += 1) {
      noteUse({ keyId: 'one', workspaceId: 'w', lastUsedAt: null });
    }
    noteUse({ keyId: 'two', workspaceId: 'w', lastUsedAt: null });
    expect(noted).toEqual([]);
    await setImmediate();
    expect(noted).toEqual(['one', 'two']);
  });

  test('a use that another process has noted within five minutes is not noted again', async () => {
    const { noteUse, noted } = await noting();
    noteUse(used('recent', nowMs - fiveMinutesMs + 1));
    noteUse(used('old', nowMs - fiveMinutesMs));
    await setImmediate();
    expect(noted).toEqual(['old']);
  });
});
