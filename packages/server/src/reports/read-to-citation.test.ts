import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { aHit, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { addDays } from '../values/time/utc-day.ts';
import { readUnreadPages } from './hits/unread-pages.ts';
import { readToCitation } from './read-to-citation.ts';

const bot = { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' } as const;

eachStore('from reading a page to citing it', (open) => {
  test('each page has the days from its first genuine read to the first answer that links to it', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const answer = (date: string, page: string, engine = 'chatgpt') => ({
      prompt: `Which tool has ${page}?`,
      engine,
      run_at: `${date}T06:00:00Z`,
      answer: 'Acme.',
      sources: [{ url: `https://www.acme.com${page}?utm_source=chatgpt.com` }],
    });
    const lags = Array.from({ length: 12 }, (_, index) => index + 1);
    await importRows(store, workspaceId, [
      ...lags.map((lag) => answer(addDays('2026-11-01', lag), `/p${lag}`)),
      answer('2026-10-30', '/before'),
      answer('2026-11-05', '/before'),
      answer('2026-11-06', '/waits', 'claude'),
      answer('2026-11-15', '/other', 'chatgpt_api'),
    ]);
    const read = (path: string, more = {}) =>
      aHit({ ...bot, host: 'acme.com', path, hit_at: '2026-11-01T08:00:00.000Z', ...more });
    await writeRows(store, workspaceId, {
      hits: [
        ...lags.map((lag) => read(`/p${lag}`)),
        read('/p1', { hit_at: '2026-11-03T08:00:00.000Z' }),
        read('/p1', { hit_at: '2026-11-04T08:00:00.000Z', status: 403 }),
        read('/p2', { hit_at: '2026-10-20T08:00:00.000Z', verification: 'spoofed' }),
        read('/p3', { hit_at: '2026-10-20T08:00:00.000Z', category: 'crawler' }),
        read('/before'),
        read('/waits'),
        read('/never-cited', { status: 403 }),
        read('/never-cited', { status: 403, hit_at: '2026-11-02T08:00:00.000Z' }),
        read('/too-late', { hit_at: '2026-11-19T08:00:00.000Z' }),
      ],
    });
    const source = { db: store.reader, workspaceId };
    const { engines, pages } = await readToCitation(source, {
      from: '2026-10-01',
      to: '2026-11-20',
    });
    const [unread] = await readUnreadPages(source, { from: '2026-10-01', to: '2026-11-20' });
    expect(unread).toMatchObject({ path: '/p1', refused: 1, cited_by: ['ChatGPT'] });
    expect(engines).toEqual([
      {
        engine: 'ChatGPT',
        pages: 13,
        cited: 12,
        waiting: 1,
        median: 7,
        low: expect.any(Number),
        high: expect.any(Number),
      },
    ]);
    expect(pages).toHaveLength(14);
    expect(pages[0]).toMatchObject({ page: 'acme.com/waits', first_cited_on: null, days: 14 });
    expect(pages.find(({ page }) => page === 'acme.com/p1')).toEqual({
      engine: 'ChatGPT',
      page: 'acme.com/p1',
      first_read_at: '2026-11-01T08:00:00.000Z',
      last_read_at: '2026-11-03T08:00:00.000Z',
      last_refused_at: '2026-11-04T08:00:00.000Z',
      first_cited_on: '2026-11-02',
      was_cited_before: false,
      days: 1,
    });
    expect(pages.find(({ page }) => page === 'acme.com/before')).toMatchObject({
      was_cited_before: true,
      days: 4,
    });
  });

  test('without answers of an engine, none of its pages waits', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await writeRows(store, workspaceId, { hits: [aHit({ ...bot, host: 'acme.com' })] });
    const period = { from: '2026-10-01', to: '2026-11-20' };
    const lags = await readToCitation({ db: store.reader, workspaceId }, period);
    expect(lags).toEqual({ ...period, engines: [], pages: [] });
  });
});
