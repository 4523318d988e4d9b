// @module-tag slow

import { crawls } from '@overheard/contract';
import type { CrawlRow } from '@overheard/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import type { Tenant } from '../../test/servers/api.ts';
import { aHit, writeRows } from '../../test/stores/rows.ts';
import type { Hit } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { importText } from '../../test/answers/transferring.ts';
import { fillCounts } from '../answers/counts/fill-counts.ts';
import { removeHits } from '../crawlers/hits/remove-hits.ts';
import { markDays } from '../crawlers/hits/mark-days.ts';
import { settleDays } from '../crawlers/hits/settle-days.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { hits as resource } from '../transfer/resources/hits.ts';

async function readCrawlRows(store: Store, { key }: Tenant, query = ''): Promise<CrawlRow[]> {
  const api = await startApi(store, { quota: 0 });
  const response = await call(api, `/api/v1/crawls${query}`, { key });
  expect(response.statusCode, response.body).toBe(200);
  return crawls.row.array().parse(response.json().crawls);
}

const hit = fc.record({
  host: fc.constantFrom(null, 'www.acme.com', 'acme.com'),
  path: fc.constantFrom('/', '/pricing', `/${'long'.repeat(1000)}`),
  bot_name: fc.constantFrom('GPTBot', 'ClaudeBot'),
  status: fc.constantFrom(null, 200, 304, 301, 403, 404, 429, 503),
  verification: fc.constantFrom('verified' as const, 'spoofed' as const, 'unverified' as const),
  hit_at: fc
    .nat({ max: 300_000_000 })
    .map((ms) => new Date(Date.UTC(2026, 10, 17) + ms).toISOString()),
  evidence: fc.constantFrom(null, '{"reason":"in_list"}'),
});

/** The rows by page, counted by hand. */
function byPage(hits: readonly Hit[]): unknown[] {
  const pages = Map.groupBy(hits, ({ host, path }) => JSON.stringify([host ?? null, path]));
  return [...pages].map(([page, own]) => {
    const [host, path] = JSON.parse(page);
    const where = (fits: (status: number) => boolean) =>
      own.filter(({ status }) => typeof status === 'number' && fits(status)).length;
    const times = own.map(({ hit_at: at }) => at).toSorted();
    return {
      host,
      path,
      verified: own.filter(({ verification }) => verification === 'verified').length,
      spoofed: own.filter(({ verification }) => verification === 'spoofed').length,
      unverified: own.filter(({ verification }) => verification === 'unverified').length,
      ok: where((status) => status === 200 || status === 304),
      redirected: where((status) => status === 301),
      refused: where((status) => status === 403 || status === 429),
      failed: where((status) => status === 404 || status === 503),
      first_at: times[0],
      last_at: times.at(-1),
    };
  });
}

eachStore('crawls', (open, dialect) => {
  test('the crawls match the stored hits after any sequence of imports, logs and removals', async () => {
    const { store } = await open({ clock: () => nowMs });
    const step = fc.record({ hits: fc.array(hit, { maxLength: 8 }), isRemoval: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const tenant = await newTenant(store);
        const { workspaceId } = tenant;
        for (const { hits, isRemoval } of steps) {
          await writeRows(store, workspaceId, { hits: hits.map((one) => aHit(one)) });
          await writeWorkspace(store, workspaceId, async (transaction) => {
            await markDays(transaction, workspaceId, hits);
            return { hasChanged: true };
          });
          await settleDays(store, workspaceId);
          if (isRemoval) await removeHits(store, workspaceId, { isWithoutHost: true });
          const stored = await store.reader
            .selectFrom('hits')
            .selectAll()
            .where('workspace_id', '=', workspaceId)
            .execute();
          const rows = await readCrawlRows(store, tenant, '?by=page');
          const sums = rows.map(
            ({ bot_name: _, bot_company: __, category: ___, date: ____, ...row }) => row,
          );
          const lines = (all: readonly unknown[]) =>
            all.map((row) => JSON.stringify(row)).toSorted();
          expect(lines(sums)).toEqual(lines(byPage(stored)));
          // Without days they come from the counts of pages, with days from the hits.
          expect(await readCrawlRows(store, tenant, '?by=page&from=2000-01-01')).toEqual(rows);
          const total = (all: readonly CrawlRow[]) =>
            all.reduce((sum, row) => sum + row.verified + row.spoofed + row.unverified, 0);
          for (const by of ['bot', 'day']) {
            expect(total(await readCrawlRows(store, tenant, `?by=${by}`))).toBe(stored.length);
          }
        }
        await store.writer
          .deleteFrom('rollup_states')
          .where('workspace_id', '=', workspaceId)
          .execute();
        const before = await readCrawlRows(store, tenant, '?by=page');
        expect(await fillCounts(store)).toBe(1);
        expect(await readCrawlRows(store, tenant, '?by=page')).toEqual(before);
      }),
      { numRuns: cases(dialect === 'sqlite' ? 25 : 5) },
    );
  });

  test(
    'crawls are exact on a day with more hits than are counted at once, however many are at one moment',
    { tags: ['long'] },
    async () => {
      const { store } = await open({ clock: () => nowMs });
      const tenant = await newTenant(store);
      const startMs = Date.UTC(2026, 10, 19);
      const hits = Array.from({ length: 12_000 }, (_, place) =>
        aHit({
          path: `/${place % 7}`,
          status: place % 3 === 0 ? 404 : 200,
          verification: place < 100 ? 'verified' : 'spoofed',
          // Half of them are at one moment, the others every four seconds.
          hit_at: new Date(startMs + (place % 2) * place * 2000).toISOString(),
          evidence: '{"reason":"in_list"}',
        }),
      );
      await writeRows(store, tenant.workspaceId, { hits });
      const rows = await readCrawlRows(store, tenant, '?by=page');
      const lines = (all: readonly unknown[]) => all.map((row) => JSON.stringify(row)).toSorted();
      const sums = rows.map(
        ({ bot_name: _, bot_company: __, category: ___, date: ____, ...row }) => row,
      );
      expect(lines(sums)).toEqual(lines(byPage(hits)));
      expect(await readCrawlRows(store, tenant)).toMatchObject([
        { verified: 100, spoofed: 11_900, first_at: new Date(startMs).toISOString() },
      ]);
    },
  );

  test(
    'of 1,100 pages with equally many hits, the same 1,000 come with days and without',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock: () => nowMs });
      const tenant = await newTenant(store);
      const hits = Array.from({ length: 1100 }, (_, place) => aHit({ path: `/${place}` }));
      await writeRows(store, tenant.workspaceId, { hits });
      const rows = await readCrawlRows(store, tenant, '?by=page');
      expect(rows).toHaveLength(1000);
      expect(await readCrawlRows(store, tenant, '?by=page&from=2000-01-01')).toEqual(rows);
    },
  );

  test('the crawls of imported hits are counted at once, filtered by day, host and bot, the most hits first', async () => {
    const { store } = await open();
    const tenant = await newTenant(store);
    const other = await newTenant(store);
    const row = {
      bot_company: 'OpenAI',
      category: 'crawler',
      method: 'GET',
      status: 200,
      verification: 'verified',
    };
    const rows = [
      ...['18T06', '19T05', '19T06'].map((hour) => ({
        ...row,
        bot_name: 'GPTBot',
        path: '/pricing',
        hit_at: `2026-11-${hour}:00:00.000Z`,
      })),
      {
        ...row,
        bot_name: 'OAI-SearchBot',
        category: 'search',
        path: '/',
        status: 403,
        hit_at: '2026-11-19T07:00:00.000Z',
      },
    ];
    const where = { workspaceId: tenant.workspaceId, resource };
    await importText(store, where, rows.map((one) => JSON.stringify(one)).join('\n'));
    const bots = await readCrawlRows(store, tenant);
    expect(bots).toMatchObject([
      {
        bot_name: 'GPTBot',
        bot_company: 'OpenAI',
        category: 'crawler',
        host: null,
        path: null,
        date: null,
        verified: 3,
        ok: 3,
        first_at: '2026-11-18T06:00:00.000Z',
        last_at: '2026-11-19T06:00:00.000Z',
      },
      { bot_name: 'OAI-SearchBot', category: 'search', verified: 1, ok: 0, refused: 1 },
    ]);
    expect(await readCrawlRows(store, tenant, '?by=day')).toMatchObject([
      { date: '2026-11-19', verified: 3, last_at: '2026-11-19T07:00:00.000Z' },
      { date: '2026-11-18', verified: 1 },
    ]);
    expect(
      await readCrawlRows(store, tenant, '?by=page&bot_name=GPTBot&to=2026-11-18'),
    ).toMatchObject([{ path: '/pricing', verified: 1 }]);
    expect(await readCrawlRows(store, tenant, '?host=acme.com')).toEqual([]);
    expect(crawls.query.parse({ host: 'WWW.Acme.com' })).toEqual({ host: 'www.acme.com' });
    expect(await readCrawlRows(store, other)).toEqual([]);
    const api = await startApi(store, { quota: 0 });
    for (const query of [
      'from=2026-11-20&to=2026-11-19',
      'by=week',
      'engine=chatgpt',
      'bot_name=',
      'host=http://www.acme.com/',
      'host=www.acme.com:443',
    ]) {
      expect(
        (await call(api, `/api/v1/crawls?${query}`, { key: tenant.key })).statusCode,
        query,
      ).toBe(400);
    }
    const quoted = await call(api, '/api/v1/crawls?bot_name=%22%C3%A9%0D', { key: tenant.key });
    expect(quoted.headers['etag']).toMatch(/^W\/"[!#-~]+"$/);
  });
});
