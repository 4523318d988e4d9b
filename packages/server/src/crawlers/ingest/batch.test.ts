import { expect, test, vi } from 'vitest';
import { makePlace, openOnSqlite } from '../../../test/logs/log-place.ts';
import { bots } from '../bots/catalogue.ts';
import { batchHits, createBatch } from './batch.ts';

const open = openOnSqlite();

test.each([
  ['short', 'GPTBot/1.3', 500],
  ['long', `GPTBot/1.3 ${'x'.repeat(60_000)}`, 18],
])('a batch of %s lines is written before it is large', async (_length, userAgent, hits) => {
  const place = await makePlace(await open());
  const batch = createBatch(await place.prepare({}));
  const [bot] = bots;
  if (bot === undefined) throw new TypeError('No bot');
  for (let index = 0; index < hits; index++) {
    expect(batch.isFull).toBe(false);
    batch.add({
      bot,
      address: null,
      otherClients: [],
      atMs: 1_795_176_000_000,
      host: null,
      forwardedFor: null,
      forwarded: null,
      cfConnectingIp: null,
      trueClientIp: null,
      method: 'GET',
      target: `/${index}`,
      status: 200,
      userAgent,
      referer: null,
      signature: null,
    });
  }
  expect(batch.isFull).toBe(true);
  await batch.flush();
  expect([batch.isFull, batch.isEmpty]).toEqual([false, true]);
  expect(await place.rows()).toHaveLength(hits);
});

test('an array of many requests on one line is written in several transactions', async () => {
  const place = await makePlace(await open());
  const requests = Array.from({ length: 2 * batchHits }, (_, index) => ({
    time: '2026-11-20T12:00:00Z',
    remote_addr: '45.9.148.3',
    request: `GET /${index} HTTP/1.1`,
    status: 200,
    http_user_agent: 'GPTBot/1.3',
  }));
  const write = vi.spyOn(place.store, 'write');
  const path = await place.write('a.json', `${JSON.stringify(requests)}\n`);
  const { hitsNew } = await place.ingest(path);
  expect(hitsNew).toBe(requests.length);
  // Two for the hits, one for how far the log was read, four to settle them.
  expect(write).toHaveBeenCalledTimes(7);
});
