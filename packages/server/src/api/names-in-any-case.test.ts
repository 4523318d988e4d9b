import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { call, nowMs, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';

eachStore('names in any case', (open) => {
  test('shares, sources and answers know a locale in any case, and a language means all its locales', async () => {
    const { store } = await open();
    const api = await startApi(store, { quota: 0 });
    const workspaceId = await aWorkspace(store);
    const { key } = await createKey(store, { workspaceId, name: 'x', clock: () => nowMs });
    const rows = ['de-DE', 'de-AT', 'en-US'].map((locale, index) => ({
      prompt: `Which ${locale}?`,
      locale,
      engine: 'chatgpt',
      run_at: `2026-11-1${index}T06:00:00Z`,
      answer: 'Acme.',
      sources: [`https://${locale.toLowerCase()}.com`],
    }));
    await importRows(store, workspaceId, rows);
    const counted = async (locale: string) => {
      const read = async (name: string) =>
        (await call(api, `/api/v1/${name}?locale=${locale}`, { key })).json()[name];
      const [shares, sources, answers] = [
        await read('shares'),
        await read('sources'),
        await read('answers'),
      ];
      return [shares[0]?.runs ?? 0, sources.length, answers.length];
    };
    for (const [locale, count] of [
      ['de-DE', 1],
      ['de-de', 1],
      ['DE', 2],
      ['en', 1],
      ['de-CH', 0],
      ['fr', 0],
      ['us', 0],
    ] as const) {
      expect([locale, await counted(locale)]).toEqual([locale, [count, count, count]]);
    }
    for (const wrong of ['english', 'de-', 'en_US', '419']) {
      for (const name of ['shares', 'sources', 'answers']) {
        const { statusCode } = await call(api, `/api/v1/${name}?locale=${wrong}`, { key });
        expect([name, wrong, statusCode]).toEqual([name, wrong, 400]);
      }
    }
  });
});
