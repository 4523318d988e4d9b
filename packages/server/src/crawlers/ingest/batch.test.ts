import { expect, test } from 'vitest';
import { line, makePlace, openOnSqlite } from '../../../test/log-place.ts';
import { bots } from '../bots/catalogue.ts';
import { createBatch } from './batch.ts';

const open = openOnSqlite();

test.each([
  ['GPTBot/1.3', 8000],
  [`GPTBot/1.3 ${'x'.repeat(60_000)}`, 70],
])('a batch is full before it is large', async (userAgent, hits) => {
  const place = await makePlace(await open());
  const { batchContext } = await place.prepare({});
  const batch = createBatch(batchContext);
  const [bot] = bots;
  if (bot === undefined) throw new TypeError('No bot');
  for (let index = 0; index < hits; index++) {
    expect(batch.isFull).toBe(false);
    const read = {
      atMs: 1_795_176_000_000,
      host: null,
      address: null,
      forwardedFor: null,
      method: 'GET',
      target: `/${index}`,
      status: 200,
      userAgent,
      signature: null,
    };
    batch.add({ bot, line: read, address: null });
  }
  expect(batch.isFull).toBe(true);
  await batch.flush();
  expect([batch.isFull, batch.isEmpty]).toEqual([false, true]);
  expect(await place.rows()).toHaveLength(hits);
});

test('a batch without hits takes those of torn lines back', async () => {
  const place = await makePlace(await open());
  await place.ingest(await place.write('a.log', line('45.9.148.3', 1, 'Bytespider').trimEnd()));
  const completed = (await place.rows()).map(({ id }) => id);
  expect(completed).toHaveLength(1);
  const { batchContext } = await place.prepare({});
  await createBatch(batchContext).flush({ completed });
  expect(await place.rows()).toEqual([]);
});
