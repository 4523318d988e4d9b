import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { call, startApi } from '../../../test/servers/api.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';
import type { Store } from '../../storage/store.ts';
import { readShares } from './shares.ts';
import type { ShareQuery } from './shares.ts';

const prompts = Array.from({ length: 14 }, (_, index) => `Which tool is best for job ${index}?`);
const days = { now: '2026-11-10', before: '2026-10-10' };
const period = { from: '2026-10-24', to: '2026-11-20' };

/** Answers of which more name the brand on one side than on the other. */
function answersOf(side: keyof typeof days, { engine, day }: { engine: string; day: string }) {
  return prompts.slice(side === 'now' ? 0 : 2).flatMap((prompt, index) =>
    Array.from({ length: 5 }, (_, hour) => ({
      prompt,
      engine,
      run_at: `${day}T0${hour}:00:00Z`,
      answer: `${(index + hour) % 5 < (side === 'now' ? 1 + (index % 2) : 4) ? 'Acme' : 'None'}, Globex ${hour}.`,
    })),
  );
}

function read(store: Store, workspaceId: string, query: Partial<ShareQuery> = {}) {
  const usual = { ...period, by: 'engine', excludesCompetitorPrompts: false, rowsMax: 99 } as const;
  return readShares({ db: store.reader, workspaceId }, { ...usual, ...query });
}

eachStore({ title: 'an app against its API', onBoth: false }, (open) => {
  test(
    'changes of the same answers are the same as between two periods, whichever of both is named',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const [inTime, besides] = [await aWorkspace(store), await aWorkspace(store)];
      const ofApp = answersOf('now', { engine: 'chatgpt', day: days.now });
      await importRows(store, inTime, [
        ...ofApp,
        ...answersOf('before', { engine: 'chatgpt', day: days.before }),
      ]);
      const ofApi = answersOf('before', { engine: 'chatgpt_api', day: days.now });
      const alone = { ...ofApp[0], engine: 'perplexity' };
      // The API's answers name their model, and the app's do not.
      await importRows(store, besides, [
        ...ofApp,
        ...ofApi.map((row) => ({ ...row, model: 'gpt-5' })),
        alone,
      ]);
      const expected = (await read(store, inTime)).map(({ not_compared: _, ...row }) => row);
      const against = await read(store, besides, { isAgainstApi: true });
      const chatgpt = against.filter(({ engine }) => engine === 'chatgpt');
      expect(chatgpt).toMatchObject(expected);
      expect(expected[0]).toMatchObject({ rate_verdict: 'down', prompts_compared: 12 });
      expect(chatgpt[0]?.not_compared).toBe(
        'chatgpt: 10 in the app and 0 from the API (prompts that only one of them was asked)',
      );
      const lonely = against.find(({ engine }) => engine === 'perplexity');
      expect(lonely).toMatchObject({ runs: 1, rate_verdict: 'too_few', rate_change: null });
      for (const engine of ['chatgpt', 'chatgpt_api']) {
        expect(await read(store, besides, { isAgainstApi: true, engine })).toEqual(chatgpt);
      }
      expect(await read(store, besides, { isAgainstApi: true, surface: 'api' })).toEqual([]);
      const [day] = await read(store, besides, {
        isAgainstApi: true,
        by: 'day',
        engine: 'chatgpt',
      });
      expect(day).toMatchObject({ from: days.now, rate_change: chatgpt[0]?.rate_change });
    },
  );

  test('without one engine it is refused, because pooled engines would compare their mix', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const clock = () => now;
    const api = await startApi(store, { clock, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const codeOf = async (query: string) =>
      (await call(api, `/api/v1/shares?against=api${query}`, { key })).statusCode;
    expect(await codeOf('')).toBe(400);
    expect(await codeOf('&by=topic')).toBe(400);
    expect(await codeOf('&by=topic&engine=chatgpt')).toBe(200);
    expect(await codeOf('&by=engine')).toBe(200);
  });

  test('answers whose search is unknown are counted of the asked app alone', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const day = days.now;
    await importRows(store, workspaceId, [
      {
        prompt: 'A?',
        engine: 'chatgpt',
        run_at: `${day}T00:00:00Z`,
        answer: 'Acme.',
        queries: ['a'],
      },
      ...['chatgpt', 'chatgpt_api', 'perplexity'].map((engine) => ({
        prompt: 'B?',
        engine,
        run_at: `${day}T01:00:00Z`,
        answer: 'Acme.',
      })),
    ]);
    const query = { isAgainstApi: true, engine: 'chatgpt', searched: 'yes' } as const;
    const [row] = await read(store, workspaceId, query);
    expect(row).toMatchObject({ runs: 1, search_unknown: 1 });
  });
});
