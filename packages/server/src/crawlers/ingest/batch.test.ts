import { expect, test } from 'vitest';
import { makePlace, openOnSqlite } from '../../../test/logs/log-place.ts';
import { bots } from '../bots/catalogue.ts';
import { createBatch } from './batch.ts';

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
      isProxy: false,
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
