import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { aHit, idOf, writeRows } from '../../test/stores/rows.ts';
import type { Hit } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { readCrawlChain } from './crawl-chain.ts';

const period = { from: '2026-10-24', to: '2026-11-20' };
const row = { prompt: 'Which tool?', engine: 'chatgpt' };
const bot = { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' } as const;

/** Requests of a verified bot to acme.com, unless it says otherwise. */
async function writeHits(store: Store, workspaceId: string, hits: readonly Partial<Hit>[]) {
  const rows = hits.map((hit) =>
    aHit({ ...bot, host: 'acme.com', hit_at: '2026-11-18T06:00:00.000Z', ...hit }),
  );
  await writeRows(store, workspaceId, { hits: rows });
}

function answer(hour: number, sources: readonly string[], text = 'Acme.', prompt = row.prompt) {
  const at = `2026-11-18T${String(hour).padStart(2, '0')}:00:00Z`;
  return { ...row, prompt, run_at: at, answer: text, sources: sources.map((url) => ({ url })) };
}

const pagesOf = (pages: ReadonlyArray<{ readonly page: string }>) => pages.map(({ page }) => page);

eachStore('the way from crawls to citations', (open) => {
  test('a page is read and not cited, cited and not read, or refused', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [
      answer(6, ['https://www.acme.com/pricing/?utm_source=chatgpt.com', 'https://acme.com/old']),
      answer(7, ['https://acme.com/old#top', 'https://globex.com/docs']),
      answer(8, ['https://acme.com/secret']),
    ]);
    await writeHits(store, workspaceId, [
      { path: '/pricing' },
      { path: '/docs', host: 'www.acme.com' },
      { path: '/docs/' },
      { path: '/docs', bot_name: 'GPTBot', category: 'crawler', status: 304 },
      { path: '/guide', bot_name: 'GPTBot', category: 'crawler' },
      { path: '/old', hit_at: '2026-09-01T06:00:00.000Z' },
      { path: '/secret', status: 403 },
      { path: '/gone', status: 404 },
    ]);
    const chain = await readCrawlChain({ db: store.reader, workspaceId }, period);
    expect(chain).toMatchObject(period);
    expect(chain.read_not_cited).toEqual([
      {
        page: 'acme.com/docs',
        reads: 3,
        refusals: 0,
        runs: 0,
        last_cited_at: null,
        last_requested_at: '2026-11-18T06:00:00.000Z',
        bots: [
          {
            bot_name: 'GPTBot',
            bot_company: 'OpenAI',
            category: 'crawler',
            reads: 1,
            refusals: 0,
          },
          { ...bot, reads: 2, refusals: 0 },
        ],
      },
      expect.objectContaining({ page: 'acme.com/guide', reads: 1 }),
    ]);
    expect(chain.cited_not_read).toEqual([
      {
        page: 'acme.com/old',
        reads: 0,
        refusals: 0,
        runs: 2,
        last_cited_at: '2026-11-18T07:00:00.000Z',
        last_requested_at: '2026-09-01T06:00:00.000Z',
        bots: [],
      },
    ]);
    expect(chain.refused).toEqual([
      expect.objectContaining({ page: 'acme.com/secret', refusals: 1, runs: 1 }),
    ]);
    const other = await aWorkspace(store);
    const none = { read_not_cited: [], cited_not_read: [], refused: [] };
    expect(await readCrawlChain({ db: store.reader, workspaceId: other }, period)).toEqual({
      ...period,
      ...none,
    });
  });

  test(
    'a page that is cited by a link in the text, or for a branded prompt, is cited',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, [
        answer(6, [], 'See [Acme](https://acme.com/a) and [more](https://acme.com/b).'),
        answer(7, ['https://acme.com/c'], 'Yes.', 'Is Acme good?'),
      ]);
      await writeHits(store, workspaceId, [
        { path: '/a' },
        { path: '/b' },
        { path: '/c' },
        { path: '/d' },
      ]);
      const chain = await readCrawlChain({ db: store.reader, workspaceId }, period);
      expect(pagesOf(chain.read_not_cited)).toEqual(['acme.com/d']);
    },
  );

  test(
    'requests that are not of verified bots are neither reads nor refusals',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, [
        answer(6, ['https://acme.com/maybe', 'https://acme.com/fake']),
      ]);
      await writeHits(store, workspaceId, [
        { path: '/' },
        { path: '/fake', verification: 'spoofed' },
        { path: '/fake', verification: 'spoofed', status: 403 },
        { path: '/maybe', verification: 'unverified', status: 403 },
        { path: '/style.css' },
        { path: '/robots.txt' },
        { path: '//globex.com/x' },
        { path: '@globex.com/x' },
      ]);
      const chain = await readCrawlChain({ db: store.reader, workspaceId }, period);
      expect(pagesOf(chain.read_not_cited)).toEqual(['acme.com', 'acme.com/globex.com/x']);
      // A request that may be genuine is not proof that nobody reads the page.
      expect(pagesOf(chain.cited_not_read)).toEqual(['acme.com/fake']);
      expect(chain.refused).toEqual([]);
    },
  );

  test('no page of a host without requests is called unread', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [answer(6, ['https://blog.acme.com/a'])]);
    await writeHits(store, workspaceId, [{ path: '/' }]);
    const chain = await readCrawlChain({ db: store.reader, workspaceId }, period);
    expect(chain.cited_not_read).toEqual([]);
  });

  test(
    'requests whose log names no host are to the only domain of the brand',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await writeHits(store, workspaceId, [{ path: '/docs', host: null }]);
      const read = async () =>
        pagesOf((await readCrawlChain({ db: store.reader, workspaceId }, period)).read_not_cited);
      expect(await read()).toEqual(['acme.com/docs']);
      await store.writer
        .insertInto('subject_domains')
        .values({ workspace_id: workspaceId, subject_id: idOf(1), domain: 'acme.de' })
        .execute();
      expect(await read()).toEqual([]);
    },
  );
});
