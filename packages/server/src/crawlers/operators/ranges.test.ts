import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asJson, rangeFile as file } from '../../../test/logs/range-list.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { refusalWords } from '../../refusals.ts';
import { importRanges } from './import-ranges.ts';
import { keepFileVersion, readFileVersions, writeListContent } from './file-versions.ts';
import { updateRanges } from './update-ranges.ts';
import { removeRanges } from './remove-ranges.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');
const signal = new AbortController().signal;

eachStore('operators’ files', (open) => {
  test('a list is in force from the first to the last fetch that returned it', async () => {
    const { store } = await open();
    let nowMs = start;
    const bodies = ['1.1.1.0/24', '1.1.1.0/24', '2.2.2.0/24', '1.1.1.0/24'];
    for (const body of bodies) {
      const fetch = async () => new Response(asJson([body]));
      await updateRanges(store, {
        files: [file],
        fetch,
        clock: () => nowMs,
        signal,
        words: refusalWords,
      });
      nowMs += day;
    }
    const versions = (await readFileVersions(store.writer)).get(file.id) ?? [];
    expect(
      versions.map(({ firstMs, lastMs }) => [(firstMs - start) / day, (lastMs - start) / day]),
    ).toEqual([
      [0, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  test('a list is in force from the time in it, unless that is in the future', async () => {
    const { store } = await open();
    const fetched = async (creationTime: string) => {
      const body = JSON.stringify({ creationTime, prefixes: [{ ipv4Prefix: '1.1.1.0/24' }] });
      const fetch = async () => new Response(body);
      await updateRanges(store, {
        files: [file],
        fetch,
        clock: () => start,
        signal,
        words: refusalWords,
      });
      const [version] = (await readFileVersions(store.writer)).get(file.id) ?? [];
      return [version?.firstMs, version?.lastMs];
    };
    expect(await fetched('2026-11-09T00:00:00Z')).toEqual([start, start]);
    expect(await fetched('2026-10-20T00:00:00Z')).toEqual([start - 12 * day, start]);
  });

  test('a list of a content network leaves out the addresses of its customers', async () => {
    const { store } = await open();
    const url = 'https://operator.example/ip-ranges.json';
    const service = (name: string, prefix: string) => ({ ip_prefix: prefix, service: name });
    const body = JSON.stringify({
      syncToken: '1793000000',
      prefixes: [service('EC2', '3.2.2.0/24'), service('CLOUDFRONT', '3.1.1.0/24')],
      ipv6_prefixes: [{ ipv6_prefix: '2600:9000::/28', service: 'CLOUDFRONT' }],
    });
    await updateRanges(store, {
      files: [{ id: 'proxy/cloudfront', url }],
      fetch: async () => new Response(body),
      clock: () => start,
      signal,
      words: refusalWords,
    });
    const [version] = (await readFileVersions(store.writer)).get('proxy/cloudfront') ?? [];
    expect(JSON.parse(version?.content ?? '')).toEqual(['2600:9000::/28', '3.1.1.0/24']);
  });

  test('a failed fetch keeps the earlier versions and does not stop the others', async () => {
    const { store } = await open();
    const clock = () => start;
    const many = Array.from({ length: 40 }, (_, index) => `1.1.${index}.0/24`);
    const ask = (fetch: typeof globalThis.fetch, accepted: string[] = []) =>
      updateRanges(store, { files: [file], fetch, clock, signal, words: refusalWords, accepted });
    await ask(async () => new Response(asJson(many)));
    const failures = [
      async () => new Response('gone', { status: 404 }),
      async () => new Response('<html>Log in</html>'),
      async () => new Response(asJson(many.slice(0, 10))),
      async () => new Response('x'.repeat(5_000_001)),
      async () => {
        throw new TypeError('fetch failed');
      },
    ];
    for (const fetch of failures) {
      const [updated] = await ask(fetch);
      expect(updated?.outcome).toBe('failed');
      expect(updated?.problem).toMatch(/^[A-Z].*$/);
    }
    expect((await readFileVersions(store.writer)).get(file.id)).toHaveLength(1);
    const [shrunk] = await ask(async () => new Response(asJson(many.slice(0, 10))), [file.id]);
    expect(shrunk).toMatchObject({ outcome: 'new', size: 10 });
    const two = [file, { id: 'anthropic/bots', url: 'https://operator.example/bots.json' }];
    const fetch = async (url: string | URL | Request) =>
      new Request(url).url.endsWith('bots.json')
        ? new Response(asJson(['2.2.2.0/24']))
        : new Response('', { status: 500 });
    const updated = await updateRanges(store, {
      files: two,
      fetch,
      clock,
      signal,
      words: refusalWords,
    });
    expect(updated.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['anthropic/bots', 'new'],
      ['openai/gptbot', 'failed'],
    ]);
  });

  test('a folder of lists is imported whole or not at all', async () => {
    const { store } = await open();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-lists-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'openai'));
    await mkdir(join(folder, 'proxy'));
    const list =
      '{"creationTime":"2026-11-18T10:00:00","prefixes":[{"ipv4Prefix":"20.171.207.0/24"}]}';
    await writeFile(join(folder, 'openai/gptbot.json'), list);
    await writeFile(join(folder, 'proxy/cdn.txt'), '173.245.48.0/20\n');
    await expect(importRanges(store, { path: folder })).rejects.toMatchObject({
      facts: { fault: { kind: 'undated' } },
    });
    expect((await readFileVersions(store.writer)).size).toBe(0);
    const fetchedMs = Date.parse('2026-11-20T00:00:00.000Z');
    expect(await importRanges(store, { path: folder, fetchedMs })).toMatchObject([
      {
        id: 'openai/gptbot',
        size: 1,
        isNew: true,
        firstAt: '2026-11-18T10:00:00.000Z',
        lastAt: '2026-11-20T00:00:00.000Z',
      },
      { id: 'proxy/cdn', size: 1, isNew: true, firstAt: '2026-11-20T00:00:00.000Z' },
    ]);
    expect(await importRanges(store, { path: folder, fetchedMs })).toMatchObject([
      { isNew: false },
      { isNew: false },
    ]);
    await expect(
      importRanges(store, { path: join(folder, 'openai/gptbot.json') }),
    ).rejects.toMatchObject({ code: 'list_id_missing' });
    await expect(importRanges(store, { path: join(folder, 'none') })).rejects.toMatchObject({
      facts: { errno: 'ENOENT' },
    });
  });

  test('a removed list is fetched again', async () => {
    const { store } = await open();
    const fetch = async (_url: unknown, init?: RequestInit) =>
      new Headers(init?.headers).has('if-none-match')
        ? new Response(null, { status: 304 })
        : new Response(asJson(['1.1.1.0/24']), { headers: { etag: '"a"' } });
    const ask = () =>
      updateRanges(store, {
        files: [file],
        fetch,
        clock: () => start,
        signal,
        words: refusalWords,
      });
    await ask();
    expect(await removeRanges(store, { id: file.id })).toMatchObject([{ size: 1 }]);
    expect((await readFileVersions(store.writer)).size).toBe(0);
    expect(await ask()).toMatchObject([{ outcome: 'new', size: 1 }]);
  });

  test('importing a list again does not shorten its time', async () => {
    const { store } = await open();
    const keep = (prefix: string, first: number, last: number) =>
      keepFileVersion(store.writer, {
        fileId: file.id,
        content: writeListContent([prefix]),
        firstMs: start + first * day,
        lastMs: start + last * day,
      });
    expect(await keep('1.1.1.0/24', 0, 9)).toBe(true);
    expect(await keep('2.2.2.0/24', 5, 5)).toBe(true);
    expect(await keep('1.1.1.0/24', 0, 0)).toBe(false);
    const versions = (await readFileVersions(store.writer)).get(file.id) ?? [];
    expect(versions.map(({ lastMs }) => (lastMs - start) / day)).toEqual([9, 5]);
  });
});
