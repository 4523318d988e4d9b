import { expect, test } from 'vitest';
import { aHit, writeRows } from '../../../test/stores/rows.ts';
import type { Hit } from '../../../test/stores/rows.ts';
import { newTenant } from '../../../test/servers/api.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { shownEvidence } from '../../crawlers/hits/hit.ts';
import { writeReferrals } from '../../crawlers/referrals/referrals.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readHitTotals } from './hit-totals.ts';
import { readLatestHits } from './latest-hits.ts';
import { readReferralCounts } from './referral-counts.ts';
import { readUnreadPages } from './unread-pages.ts';

const period = { from: '2026-11-10', to: '2026-11-20' };
const www = 'www.acme.com';

/** A hit of GPTBot on `www`: status, path, and what else is said. */
function hit(status: number | null, path: string, more: Partial<Hit> = {}): Hit {
  return aHit({
    host: www,
    path,
    status,
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    verification: 'verified',
    hit_at: '2026-11-15T12:00:00.000Z',
    evidence: '{"reason":"in_list"}',
    ...more,
  });
}

const hits: readonly Hit[] = [
  hit(403, '/pricing'),
  hit(403, '/pricing', { bot_name: 'ClaudeBot', verification: 'unverified' }),
  hit(200, '/pricing'),
  hit(429, '/pricing', { hit_at: '2026-11-20T23:59:59.999Z' }),
  hit(403, '/pricing', { verification: 'spoofed' }),
  hit(403, '/pricing', { hit_at: '2026-11-09T23:59:59.999Z' }),
  hit(403, '/pricing', { hit_at: '2026-11-21T00:00:00.000Z' }),
  hit(503, '/down'),
  hit(503, '/down'),
  hit(500, '/down'),
  hit(500, '/down'),
  hit(404, '/gone'),
  hit(null, '/unknown'),
  hit(301, '/old'),
  hit(401, '/member', { host: null }),
];

eachStore('hits on pages', (open) => {
  test('pages that bots could not read come refused first, of how many hits, without those of forgers', async () => {
    const { source } = await placeWith(open, hits);
    expect(await readUnreadPages(source, period)).toEqual([
      {
        host: www,
        path: '/pricing',
        refused: 3,
        failed: 0,
        hits: 4,
        statuses: [403, 429],
        bots: ['ClaudeBot', 'GPTBot'],
        last_at: '2026-11-20T23:59:59.999Z',
        cited_by: [],
      },
      expect.objectContaining({ host: null, path: '/member', refused: 1, hits: 1 }),
      expect.objectContaining({ path: '/down', refused: 0, failed: 4, statuses: [500, 503] }),
    ]);
    const ofClaude = await readUnreadPages(source, { ...period, botName: 'ClaudeBot', host: www });
    expect(ofClaude).toEqual([
      expect.objectContaining({ path: '/pricing', refused: 1, hits: 1, bots: ['ClaudeBot'] }),
    ]);
    expect(await readUnreadPages(source, { ...period, host: 'elsewhere.com' })).toEqual([]);
  });

  test('the totals of a period count every verdict and class of status', async () => {
    const { source } = await placeWith(open, hits);
    expect(await readHitTotals(source, period)).toEqual({
      hits: 13,
      bots: 2,
      verified: 11,
      spoofed: 1,
      unverified: 1,
      ok: 1,
      redirected: 1,
      refused: 5,
      failed: 5,
      last_at: '2026-11-20T23:59:59.999Z',
    });
    const none = { from: '2025-01-01', to: '2025-01-02' };
    expect(await readHitTotals(source, none)).toMatchObject({ hits: 0, bots: 0, last_at: null });
    expect(await readHitTotals(source, { ...period, botName: 'ClaudeBot' })).toMatchObject({
      hits: 1,
      unverified: 1,
    });
  });

  test('the latest hits come newest first with their reason, and without anything of the client', async () => {
    const { source } = await placeWith(open, [
      hit(200, '/a', { address: '192.0.2.7', user_agent: 'secret agent' }),
      hit(200, '/b', { hit_at: '2026-11-16T12:00:00.000Z', evidence: null }),
      hit(200, '/c', {
        hit_at: '2026-11-17T12:00:00.000Z',
        verification: 'unverified',
        evidence: '{"reason":"not_in_list","list":"openai/gptbot"}',
        overruled_by: 'visitor_address',
      }),
    ]);
    const latest = await readLatestHits(source, { ...period, limit: 10 });
    expect(latest.map((row) => [row.path, shownEvidence(row)])).toEqual([
      ['/c', { reason: 'visitor_address' }],
      ['/b', undefined],
      ['/a', { reason: 'in_list' }],
    ]);
    expect(JSON.stringify(latest)).not.toMatch(/192\.0\.2\.7|secret/);
  });

  test('people from answers are counted by engine and page, most first, and those without a host first among equals', async () => {
    const { source, store } = await placeWith(open, []);
    const visit = (engine: string, path: string, date = '2026-11-15') => ({
      id: `${engine} ${path} ${date}`,
      date,
      // A log without host names.
      host: path === '/no-host' ? null : www,
      path,
      engine,
    });
    await writeWorkspace(store, source.workspaceId, async (transaction) => ({
      hasChanged: true,
      added: await writeReferrals(store, transaction, source.workspaceId, [
        visit('chatgpt', '/'),
        visit('chatgpt', '/', '2026-11-16'),
        visit('chatgpt', '/a'),
        visit('perplexity', '/'),
        visit('perplexity', '/no-host'),
        visit('perplexity', '/', '2026-11-21'),
      ]),
    }));
    expect(await readReferralCounts(source, period)).toEqual({
      referrals: 5,
      engines: [
        { engine: 'chatgpt', referrals: 3 },
        { engine: 'perplexity', referrals: 2 },
      ],
      pages: [
        { engine: 'chatgpt', host: www, path: '/', referrals: 2, last_date: '2026-11-16' },
        expect.objectContaining({ engine: 'perplexity', host: null, path: '/no-host' }),
        { engine: 'perplexity', host: www, path: '/', referrals: 1, last_date: '2026-11-15' },
        { engine: 'chatgpt', host: www, path: '/a', referrals: 1, last_date: '2026-11-15' },
      ],
    });
    expect(await readReferralCounts(source, { ...period, host: 'x' })).toMatchObject({
      referrals: 0,
      pages: [],
    });
  });
});

/** A workspace with these hits, and another one with hits of its own. */
async function placeWith(open: Open, first: readonly Hit[]) {
  const { store } = await open();
  const { workspaceId } = await newTenant(store);
  const other = await newTenant(store);
  const write = (some: readonly Hit[], id = workspaceId) => writeRows(store, id, { hits: some });
  await write([hit(403, '/foreign')], other.workspaceId);
  if (first.length > 0) await write(first);
  return { store, source: { db: store.reader, workspaceId }, write };
}
