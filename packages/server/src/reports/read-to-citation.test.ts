import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { aHit, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { addDays } from '../values/time/utc-day.ts';
import { readUnreadPages } from './hits/unread-pages.ts';
import { readToCitation } from './read-to-citation.ts';

const bot = { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' } as const;

eachStore('from reading a page to citing it', (open) => {
  test(
    'each page has the days from its first genuine read to the first answer that links to it',
    { tags: ['once'] },
    async () => {
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
        answer('2026-11-01', '/at-once'),
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
          read('/at-once'),
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
          pages: 14,
          cited: 13,
          waiting: 1,
          median: 6,
          low: expect.any(Number),
          high: expect.any(Number),
        },
      ]);
      expect(pages).toHaveLength(15);
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
        fetches: 0,
        people: 0,
        proofs: 0,
        last_proof: null,
      });
      expect(pages.find(({ page }) => page === 'acme.com/at-once')).toMatchObject({
        first_cited_on: '2026-11-01',
        days: 0,
      });
      expect(pages.find(({ page }) => page === 'acme.com/before')).toMatchObject({
        was_cited_before: true,
        days: 4,
      });
    },
  );

  test('a verified fetch for a person within 5 minutes of an answer that cites the page is its proof, unless others are in the hour around it', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const answer = (time: string, page: string, engine = 'chatgpt_api') => ({
      prompt: `Which tool has ${page}?`,
      engine,
      run_at: `2026-11-10T${time}Z`,
      answer: 'Acme.',
      sources: [`https://www.acme.com${page}`],
    });
    await importRows(store, workspaceId, [
      answer('06:00:01', '/proven'),
      answer('20:00:01', '/proven', 'chatgpt'),
      answer('06:00:01', '/late'),
      answer('06:00:01', '/busy'),
      answer('06:00:01', '/forged'),
      answer('06:00:01', '/indexed'),
      answer('06:00:01', '/other', 'claude_api'),
      answer('06:00:01', '/refused'),
      answer('06:00:01', '/cited-elsewhere'),
    ]);
    const user = { ...bot, bot_name: 'ChatGPT-User', category: 'user' as const };
    const fetched = (path: string, time: string, more = {}) =>
      aHit({ ...user, host: 'acme.com', path, hit_at: `2026-11-10T${time}.000Z`, ...more });
    await writeRows(store, workspaceId, {
      hits: [
        fetched('/proven', '06:00:40'),
        fetched('/proven', '19:55:01'),
        fetched('/late', '06:05:02'),
        fetched('/busy', '06:00:40'),
        fetched('/busy', '06:50:00'),
        fetched('/forged', '06:00:40', { verification: 'spoofed' }),
        fetched('/forged', '06:00:50', { verification: 'unverified' }),
        fetched('/forged', '02:00:00'),
        fetched('/indexed', '06:00:40', { ...bot }),
        fetched('/other', '06:00:40'),
        fetched('/refused', '06:00:40', { status: 403 }),
        fetched('/refused', '02:00:40'),
        fetched('/never-cited', '06:00:40'),
      ],
    });
    const visit = { workspace_id: workspaceId, date: '2026-11-10', host: 'acme.com' };
    await store.writer
      .insertInto('referrals')
      .values([
        { ...visit, id: 'a', path: '/proven', engine: 'chatgpt' },
        { ...visit, id: 'b', path: '/proven', engine: 'chatgpt_api' },
        { ...visit, id: 'c', path: '/proven', engine: 'claude' },
      ])
      .execute();
    const period = { from: '2026-11-01', to: '2026-11-20' };
    const { pages } = await readToCitation({ db: store.reader, workspaceId }, period);
    const found = pages.map(({ page, fetches, people, proofs }) => [page, fetches, people, proofs]);
    expect(found.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))).toEqual([
      ['acme.com/busy', 2, 0, 0],
      ['acme.com/forged', 1, 0, 0],
      ['acme.com/indexed', 0, 0, 0],
      ['acme.com/late', 1, 0, 0],
      ['acme.com/never-cited', 1, 0, 0],
      ['acme.com/other', 1, 0, 0],
      ['acme.com/proven', 2, 2, 2],
      ['acme.com/refused', 1, 0, 0],
    ]);
    expect(pages.find(({ page }) => page === 'acme.com/proven')?.last_proof).toEqual({
      run_id: expect.any(String),
      run_at: '2026-11-10T20:00:01.000Z',
      fetched_at: '2026-11-10T19:55:01.000Z',
      bot_name: 'ChatGPT-User',
    });
  });

  test(
    'a fetch proves the last answer before it and no other, so proofs are never more than fetches',
    { tags: ['once'] },
    async () => {
      const times = Array.from({ length: 12 }, (_, index) => `06:0${index % 4}:${10 + index}`);
      const found = await visitsOf(times, ['06:01:30', '06:01:40']);
      expect(found).toMatchObject({ fetches: 2, proofs: 1 });
      expect(found?.last_proof?.run_at).toBe('2026-11-10T06:01:19.000Z');
      const two = await visitsOf(['06:00:10', '06:01:10'], ['06:00:30', '06:01:30']);
      expect(two).toMatchObject({ fetches: 2, proofs: 2 });
    },
  );

  test(
    'an answer of which only the day is known, in any zone, is not proven by a fetch after midnight',
    { tags: ['once'] },
    async () => {
      const found = await visitsOf(['00:00:00', '05:45:00', '23:00:00'], ['00:03:00', '05:46:00']);
      expect(found).toMatchObject({ fetches: 2, proofs: 0, last_proof: null });
      expect(await visitsOf(['00:00:01'], ['00:03:00'])).toMatchObject({ proofs: 1 });
    },
  );

  test('a fetch proves an answer on the other side of midnight', { tags: ['once'] }, async () => {
    expect(await visitsOf(['23:58:00', '30:00:01'], ['24:01:00'])).toMatchObject({ proofs: 1 });
    expect(await visitsOf(['24:01:00'], ['23:58:00'])).toMatchObject({ proofs: 1 });
  });

  /**
   * Reads the visits to a page that answers cite at these times of a day, or of the next one from
   * 24:00 on, and that are fetched at those.
   */
  async function visitsOf(answered: readonly string[], fetched: readonly string[]) {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(
      store,
      workspaceId,
      answered.map((time, index) => ({
        prompt: `Which tool ${index}?`,
        engine: index % 2 === 0 ? 'chatgpt' : 'chatgpt_api',
        run_at: momentOf(time),
        answer: 'Acme.',
        sources: ['https://acme.com/tents'],
      })),
    );
    const user = { ...bot, bot_name: 'ChatGPT-User', category: 'user' as const };
    const hits = fetched.map((time) =>
      aHit({ ...user, host: 'acme.com', path: '/tents', hit_at: momentOf(time) }),
    );
    await writeRows(store, workspaceId, { hits });
    const period = { from: '2026-11-01', to: '2026-11-20' };
    const { pages } = await readToCitation({ db: store.reader, workspaceId }, period);
    return pages.find(({ page }) => page === 'acme.com/tents');
  }
});

function momentOf(time: string): string {
  const [hours = 0, minutes, seconds] = time.split(':').map(Number);
  return new Date(Date.UTC(2026, 10, 10, hours, minutes, seconds)).toISOString();
}
