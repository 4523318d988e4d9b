import { beforeEach, expect, test } from 'vitest';
import { keepList, line, makePlace, now } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import browsers from '../../crawlers/bots/browsers.json' with { type: 'json' };
import { pruneAddresses } from '../../crawlers/hits/prune-addresses.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { findBlocked } from './site-rules.ts';

const days = { from: '2026-11-01', to: '2026-11-21' };
const unknown = 'It is not known whether other visitors get 403 there, too.';
const got = 'Visitors got the page on the days on which it got 403.';

/** A line with another status, path and host. */
function request(text: string, status: number, { path = '/p', host = 'acme.com' } = {}): string {
  return `${host} ${text.replace('" 200 5', `" ${status} 5`).replace('GET /p ', `GET ${path} `)}`;
}

const visit = (second: number, status: number, page = {}) =>
  request(line('45.9.149.4', second, browsers['Firefox on Linux']), status, page);

const bots = Array.from({ length: 6 }, (_, second) =>
  request(line('20.171.207.5', second, 'GPTBot/1.3'), 403),
).join('');

eachStore({ title: 'a page that forbids a verified bot', onBoth: false }, (open) => {
  let place: Awaited<ReturnType<typeof makePlace>>;
  let logs = 0;

  beforeEach(async () => {
    const { store } = await open();
    place = await makePlace({ store });
    await keepList(store, 'openai/gptbot', '20.171.207.0/24');
  });

  const read = async (text: string) => place.ingest(await place.write(`${logs++}.log`, text));
  const gaps = async () =>
    (await findBlocked(place.store.reader, place.workspaceId, days)).map(
      (gap) => gap.recommendation,
    );
  const parts = () =>
    place.store.reader
      .selectFrom('path_bits')
      .select(['slot', 'bits'])
      .where('workspace_id', '=', place.workspaceId)
      .orderBy('slot')
      .execute();

  test.each([
    ['no gap where visitors got 403', visit(1, 403), undefined],
    ['a gap where visitors got the page', visit(1, 200), got],
    ['a gap where visitors got it and 403', visit(1, 403) + visit(2, 304), got],
    ['a gap without visitors', '', unknown],
    ['a gap where another site forbids visitors', visit(1, 403, { host: 'b.com' }), unknown],
    [
      'a gap where visitors got 403 on another day',
      visit(1, 403).replace('[20/Nov', '[19/Nov'),
      unknown,
    ],
    ['a gap where only programs got 403', request(line('45.9.149.4', 1, 'curl/8.0'), 403), unknown],
  ])('there is %s', async (_case, visits, words) => {
    await read(bots + visits);
    const found = await gaps();
    expect(found).toHaveLength(words === undefined ? 0 : 1);
    expect(found.join('')).toContain(words ?? '');
  });

  test('requests that failed otherwise are a gap without those that everybody is forbidden', async () => {
    const failed = Array.from({ length: 8 }, (_, second) =>
      request(line('20.171.207.5', 100 + second, 'GPTBot/1.3'), 429),
    );
    await read(bots + failed.join('') + visit(1, 403));
    const [gap = '', ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap).toContain('8 of its 14 verified requests');
    expect(gap).not.toContain('403');
  });

  test('order, split and repetition of logs change nothing', async () => {
    const visits = [visit(1, 403), visit(2, 401, { path: '/q' }), visit(3, 200, { path: '/r' })];
    await read(bots + visits.join(''));
    const [first, whole] = [await gaps(), await parts()];
    expect(first).toEqual([]);
    await read(bots + visits.join(''));
    expect(await parts()).toEqual(whole);
    place = await makePlace({ store: place.store });
    for (const text of [...visits.toReversed(), bots]) await read(text);
    expect([await gaps(), await parts()]).toEqual([first, whole]);
  });

  test('the statuses that visitors got are forgotten after 90 days, also where addresses are not kept', async () => {
    await read(bots + visit(1, 403));
    const prune = (count: number) =>
      pruneAddresses(place.store, place.workspaceId, { nowMs: now + count * dayMs });
    await prune(80);
    expect(await gaps()).toEqual([]);
    await prune(91);
    expect(await parts()).toEqual([]);
    expect((await gaps()).join('')).toContain(unknown);
  });

  test('a flood of made-up paths fills no more than 256 KiB a day, and is no proof', async () => {
    const flood = Array.from({ length: 72_000 }, (_, index) =>
      visit(index % 9000, [200, 403][index % 2] ?? 0, { path: index === 0 ? '/p' : `/${index}` }),
    );
    await read(flood.join(''));
    await read(bots + visit(1, 403));
    const stored = await parts();
    expect(stored.length).toBeLessThanOrEqual(256);
    expect(stored.every(({ bits }) => bits.length === 1024)).toBe(true);
    expect((await gaps()).join('')).toContain(unknown);
    // Nor does a day without a flood prove what visitors got on this one.
    await read((bots + visit(1, 403)).replaceAll('[20/Nov', '[19/Nov'));
    expect((await gaps()).join('')).toContain(unknown);
  });
});
