import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { line, lines, makePlace, now } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import browsers from '../bots/browsers.json' with { type: 'json' };
import { keepFileVersion, writeListContent } from '../operators/file-versions.ts';
import { createHostNames } from '../verify/host-names.ts';
import type { Resolver } from '../verify/host-names.ts';
import { verifyHits } from './verify-hits.ts';

const day = 86_400_000;
const right = '66.249.66.7';
const wrong = '45.9.148.3';
const name = 'crawl-66-249-66-7.googlebot.com';
const signal = new AbortController().signal;

/** Lists in which Googlebot has exactly one address. */
const resolver: Resolver = {
  reverse: async (address) => (address === right ? [name] : ['host.example.net']),
  resolve4: async (asked) => (asked === name ? [right] : []),
  resolve6: async () => [],
};
const outage: Resolver = { reverse: fail, resolve4: fail, resolve6: fail };

eachStore({ title: 'judging hits', onBoth: false }, (open) => {
  test('hits wait for their host names, however long the look-ups take', async () => {
    const { ingest, write, verdicts } = await makePlace(await open());
    const asked = { ...resolver, reverse: () => sleep(200, [name]) };
    const log = line(right, 1, 'Googlebot/2.1') + line(right, 2, 'Bytespider');
    const { bots } = await ingest(await write('a.log', log), { hostNames: names(asked) });
    expect(Object.values(await verdicts())).toEqual(['verified', 'unverified']);
    expect(bots).toMatchObject([
      { verified: 0, unverified: 1 },
      { verified: 1, unverified: 0 },
    ]);
  });
});

eachStore('judging hits again', (open) => {
  test.each([
    ['without name servers', undefined, 0],
    ['while none answers', outage, 0],
    ['after months, whatever they answer', resolver, 90 * day],
  ])('hits keep what a host name once proved or disproved, %s', async (_, asked, later) => {
    const { store } = await open();
    const place = await makePlace({ store });
    await place.ingest(
      await place.write('a.log', line(right, 1, 'Googlebot/2.1') + line(wrong, 2, 'Googlebot/2.1')),
      { hostNames: names(resolver) },
    );
    const before = await place.rows();
    expect(before.map(({ verification }) => verification).toSorted()).toEqual([
      'spoofed',
      'verified',
    ]);
    const { changed } = await again(place, { asked, nowMs: now + later });
    expect(changed).toEqual([]);
    expect(await place.rows()).toEqual(before);
  });

  test('a list does not refute a hit that its host name has proved', async () => {
    const { store } = await open();
    const place = await makePlace({ store });
    await place.ingest(await place.write('a.log', line(right, 1, 'Googlebot/2.1')), {
      hostNames: names(resolver),
    });
    for (const network of ['66.249.64.0/19', '192.178.4.0/24']) {
      await keepGooglebots(store, network);
      await again(place, {});
      expect(Object.values(await place.verdicts())).toEqual(['verified']);
    }
  });

  test('a stopped run keeps what it judged, and the next run judges the rest', async () => {
    const place = await makePlace(await open());
    await place.ingest(await place.write('a.log', lines(300)));
    const whole = await place.rows();
    await forget(place);
    const stop = new AbortController();
    // Abort between two turns of the event loop, as a signal does.
    const onJudged = () => void setImmediate(() => stop.abort());
    const stopped = await again(place, { sliceHits: 20, onJudged, signal: stop.signal });
    expect(stopped.isStopped).toBe(true);
    expect(stopped.judged).toBeGreaterThan(0);
    expect(stopped.judged).toBeLessThan(whole.length);
    const late = new AbortController();
    const last = await again(place, {
      sliceHits: 1000,
      onJudged: () => late.abort(),
      signal: late.signal,
    });
    expect(last).toMatchObject({ isStopped: false, judged: whole.length });
    expect(await place.rows()).toEqual(whole);
  });

  test('hits keep the verdict of a log that was read meanwhile', async () => {
    const place = await makePlace(await open());
    const log = line(wrong, 0, 'GPTBot/1.3') + line(right, 5, 'Googlebot/2.1');
    await place.ingest(await place.write('a.log', log));
    await forget(place);
    const path = await place.write('b.log', line(wrong, 100, browsers['Chrome on Windows']));
    const asked: Resolver = {
      ...resolver,
      reverse: async (address) => {
        await place.ingest(path);
        return resolver.reverse(address);
      },
    };
    await again(place, { asked });
    const rows = (await place.rows()).filter(({ address }) => address === wrong);
    expect(rows.map(({ overruled_by: by }) => by)).toEqual(['visitor_address']);
  });

  test('more hits of one moment than a slice holds get the same verdicts', async () => {
    const place = await makePlace(await open());
    const agents = ['Bytespider', 'GrokBot/1.0', 'DeepSeekBot'];
    const log = Array.from({ length: 30 }, (_, index) =>
      line(`45.9.148.${index % 10}`, 0, agents[index % 3] ?? ''),
    );
    await place.ingest(await place.write('a.log', log.join('') + line(wrong, 4000, 'GPTBot/1.3')));
    const whole = await place.rows();
    await forget(place);
    expect((await again(place, { sliceHits: 3 })).judged).toBe(31);
    expect(await place.rows()).toEqual(whole);
  });
});

function names(of: Resolver) {
  return createHostNames({ resolver: of, clock: () => now });
}

function again(
  place: Awaited<ReturnType<typeof makePlace>>,
  {
    asked,
    nowMs = now,
    ...options
  }: { asked?: Resolver | undefined; nowMs?: number } & Partial<Parameters<typeof verifyHits>[2]>,
) {
  return verifyHits(place.store, place.workspaceId, {
    hostNames: asked && names(asked),
    clock: () => nowMs,
    signal,
    ...options,
  });
}

/** Sets the verdicts to those from before the neighbouring hits were imported. */
async function forget({ store }: Awaited<ReturnType<typeof makePlace>>): Promise<void> {
  const evidence = JSON.stringify({ reason: 'no_list' });
  await store.writer.updateTable('hits').set({ verification: 'unverified', evidence }).execute();
}

async function keepGooglebots(store: Store, network: string): Promise<void> {
  await keepFileVersion(store.writer, {
    fileId: 'google/common-crawlers',
    content: writeListContent([network]),
    firstMs: now,
    lastMs: now,
  });
}

async function fail(): Promise<string[]> {
  throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
}
