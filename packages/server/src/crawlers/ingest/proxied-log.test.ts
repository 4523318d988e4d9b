import { expect, test } from 'vitest';
import { line, makePlace } from '../../../test/log-place.ts';
import { eachStore } from '../../../test/stores.ts';
import { parsePrefix } from '../addresses/prefix.ts';
import { createRangeSet } from '../addresses/range-set.ts';
import { createIdentity } from '../hits/identity.ts';
import { batchHits } from './batch.ts';

const forger = '45.9.148.3';
const claims = ['Bytespider', 'GrokBot/1.0', 'DeepSeekBot'];
const forged = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    line(forger, from + index, claims[index % 3] ?? ''),
  ).join('');
const people = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(address(index), 100 + index, 'Chrome')).join('');
const everybody = (index: number) => `8.8.${index}.8`;

eachStore('where most of a log comes from one address', (open) => {
  test('a forger is one, whether or not a piece of the log was his alone', async () => {
    const place = await makePlace(await open());
    const first = await place.ingest(await place.write('p1.log', forged(25)));
    expect(first.proxies).toEqual([forger]);
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['unverified']));
    await place.ingest(await place.write('p2.log', people(100, everybody)));
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['spoofed']));
    const rows = await place.rows();
    expect(JSON.parse(rows[0]?.evidence ?? '')).toMatchObject({ reason: 'many_operators' });
  });

  test('more lines than one batch holds change nothing', async () => {
    const place = await makePlace(await open());
    const log =
      forged(batchHits + 200) + people(batchHits + 1000, (index) => everybody(index % 200));
    const summary = await place.ingest(await place.write('a.log', log));
    expect(summary.proxies).toEqual([]);
    expect(summary.bots.map(({ unverified }) => unverified)).toEqual([0, 0, 0]);
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['spoofed']));
  });

  test('nothing is called forged of lines that came before it was known, nor of later ones', async () => {
    const place = await makePlace(await open());
    await place.ingest(await place.write('a.log', forged(12)));
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['spoofed']));
    await place.ingest(
      await place.write(
        'b.log',
        people(30, () => forger),
      ),
    );
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['unverified']));
    const later = await place.ingest(await place.write('c.log', forged(3, 2000)));
    expect(later.proxies).toEqual([forger]);
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['unverified']));
  });

  test('that one is named, and no other of its class', async () => {
    const place = await makePlace(await open());
    const { classOf } = createIdentity(Buffer.alloc(32));
    const other = Array.from(
      { length: 65_536 },
      (_, index) => `8.9.${index >> 8}.${index & 255}`,
    ).find((address) => classOf('address', address) === classOf('address', forger));
    const log = line(other ?? '', 0, 'Bytespider') + forged(25, 1);
    const { proxies } = await place.ingest(await place.write('a.log', log));
    expect(other).toBeDefined();
    expect(proxies).toEqual([forger]);
  });

  test('another site of the workspace is not judged by it', async () => {
    const place = await makePlace(await open());
    await place.ingest(await place.write('a.log', people(300, everybody)), {
      host: 'www.acme.com',
    });
    const log = forged(9) + people(30, () => forger);
    await place.ingest(await place.write('b.log', log), { host: 'blog.acme.com' });
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['unverified']));
  });

  test('the same lines read again with the client that it forwards for leave that as it is', async () => {
    const place = await makePlace(await open());
    const log = forged(9) + people(30, () => forger);
    let client = 0;
    const path = await place.write(
      'a.log',
      log.replaceAll('\n', () => ` "8.8.${client++}.8"\n`),
    );
    await place.ingest(path);
    const prefix = parsePrefix(`${forger}/32`);
    await place.ingest(path, {
      trusted: createRangeSet(prefix === undefined ? [] : [prefix]),
      trustedWords: [`${forger}/32`],
    });
    const rows = await place.rows();
    expect(rows).toHaveLength(18);
    expect(new Set(rows.map(({ verification }) => verification))).toEqual(new Set(['unverified']));
  });

  test('a dry run says the same', async () => {
    const place = await makePlace(await open());
    const path = await place.write('a.log', forged(9) + people(30, () => forger));
    const dry = await place.tryOut(path);
    const { proxies, bots } = await place.ingest(path);
    expect(dry).toMatchObject({ proxies, bots });
  });
});
