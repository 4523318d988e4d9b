import { expect, test } from 'vitest';
import { month, others, seedWorkspace, since, to } from '../../../test/logs/bot-months.ts';
import type { Seed } from '../../../test/logs/bot-months.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { readEngineAccess } from './engine-access.ts';

async function accessOf(store: Store, seed: Seed) {
  const { workspaceId } = await seedWorkspace(store, seed);
  return readEngineAccess({ db: store.reader, workspaceId }, { to });
}

eachStore("engines' access", (open) => {
  test('each engine lists its bots with the genuine requests of seven days and of the seven before', async () => {
    const { store } = await open();
    const hits = [
      ...month('search', since('2026-11-19', { status: 403 })),
      ...month('training'),
      ...month('claude', () => ({ verification: 'unverified' })),
      ...others('2026-11-20', 7, { verification: 'spoofed', status: 403 }),
    ];
    const access = await accessOf(store, { hits });
    const cadence = { usual_days: 1, last_date: to, silent_days: 0 };
    const counts = { bot_company: 'OpenAI', requests: 35, requests_before: 35, refused_before: 0 };
    expect(access).toMatchObject({ until: to, requests: 70, refused: 25 });
    expect(access.days).toHaveLength(30);
    expect(access.days.at(-1)).toEqual({ date: to, genuine: 10, refused: 5 });
    expect(access.engines).toEqual([
      {
        engine: 'ChatGPT',
        bots: [
          {
            ...counts,
            bot_name: 'OAI-SearchBot',
            purpose: 'search',
            last_read_at: '2026-11-18T04:00:00.000Z',
            refused: 25,
            forged: 28,
            refused_since: '2026-11-19',
            cadence,
          },
          {
            ...counts,
            bot_name: 'GPTBot',
            purpose: 'crawler',
            last_read_at: '2026-11-23T04:00:00.000Z',
            refused: 0,
            forged: 0,
            refused_since: null,
            cadence,
          },
        ],
      },
    ]);
  });
});
