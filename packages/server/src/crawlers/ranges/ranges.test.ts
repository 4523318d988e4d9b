import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../test/stores.ts';
import { parseAddress } from '../addresses/address.ts';
import { createRangeEvidence } from './evidence.ts';
import { importRanges } from './import-ranges.ts';
import { parseListFile } from './list-file.ts';
import { listRanges } from './list-ranges.ts';
import { keepFileVersion, readFileVersions, writeListContent } from './operator-files.ts';
import { updateRanges } from './update-ranges.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');
const file = { id: 'openai/gptbot', url: 'https://operator.example/gptbot.json' };
const signal = new AbortController().signal;

describe('a list is read', () => {
  test('as JSON with prefixes and a time', () => {
    const text = JSON.stringify({
      creationTime: '2026-11-18T10:00:00.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:10::/64' }, { ipv4Prefix: '66.249.64.9/27' }],
    });
    expect(parseListFile(text)).toEqual({
      createdMs: Date.parse('2026-11-18T10:00:00.000Z'),
      prefixes: ['2001:4860:4801:10::/64', '66.249.64.0/27'],
    });
  });

  test('out of a page that carries it', () => {
    const json =
      '{"creationTime":"2026-11-18T10:00:00Z","prefixes":[{"ip_prefix":"52.70.240.171/32"}]}';
    for (const page of [
      `<html><body><p>{ not this }</p><pre>${json}</pre></body></html>`,
      `<html><div data-list="${json.replaceAll('"', '&quot;')}"></div></html>`,
    ]) {
      expect(parseListFile(page).prefixes).toEqual(['52.70.240.171/32']);
    }
  });

  test('as text or CSV with a network first on each line', () => {
    const text = '# of a network\n173.245.48.0/20\n2400:cb00::/32,US,US-CA,,\n\n';
    expect(parseListFile(text).prefixes).toEqual(['173.245.48.0/20', '2400:cb00::/32']);
  });

  test('in time that grows with the page, whatever it is made of', () => {
    const pages = [
      `${'{'.repeat(100_000)}"prefixes"`,
      `${'{}'.repeat(100_000)}"prefixes"${'{'.repeat(100_000)}`,
      `{"prefixes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ];
    const began = performance.now();
    for (const page of pages) expect(() => parseListFile(page)).toThrow(/network/);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test.each([
    '',
    '<html>Not found</html>',
    '{"prefixes":[]}',
    'not a network',
    '0.0.0.0/0',
    '{"prefixes":["x"]}',
  ])('unless there is no network in it, or nobody’s: %s', (text) => {
    expect(() => parseListFile(text)).toThrow(/network/);
  });
});

eachStore('operators’ files', (open) => {
  test('hold from the first to the last fetch that returned them', async () => {
    const { store } = await open();
    let nowMs = start;
    const bodies = ['1.1.1.0/24', '1.1.1.0/24', '2.2.2.0/24', '1.1.1.0/24'];
    for (const body of bodies) {
      const fetch = async () => new Response(body);
      await updateRanges(store, { files: [file], fetch, clock: () => nowMs, signal });
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

  test('that have not changed are asked for by their tags', async () => {
    const { store } = await open();
    const asked: Array<string | null> = [];
    let nowMs = start;
    const fetch = async (_url: unknown, init?: RequestInit) => {
      const tag = new Headers(init?.headers).get('if-none-match');
      asked.push(tag);
      return tag === null
        ? new Response('1.1.1.0/24', { headers: { etag: '"a"' } })
        : new Response(null, { status: 304 });
    };
    await updateRanges(store, { files: [file], fetch, clock: () => nowMs, signal });
    nowMs += 3 * day;
    const [updated] = await updateRanges(store, {
      files: [file],
      fetch,
      clock: () => nowMs,
      signal,
    });
    expect(asked).toEqual([null, '"a"']);
    expect(updated).toEqual({ id: file.id, outcome: 'unchanged', size: 1 });
    expect((await listRanges(store.reader)).find(({ id }) => id === file.id)).toMatchObject({
      versions: 1,
      first_at: '2026-11-01T00:00:00.000Z',
      last_at: '2026-11-04T00:00:00.000Z',
      problem: null,
    });
  });

  test('that fail leave what was known, and do not keep the others from being asked', async () => {
    const { store } = await open();
    const clock = () => start;
    const many = Array.from({ length: 40 }, (_, index) => `1.1.${index}.0/24`);
    const ask = (fetch: typeof globalThis.fetch, accepted: string[] = []) =>
      updateRanges(store, { files: [file], fetch, clock, signal, accepted });
    await ask(async () => new Response(many.join('\n')));
    const failures = [
      async () => new Response('gone', { status: 404 }),
      async () => new Response('<html>Log in</html>'),
      async () => new Response(many.slice(0, 10).join('\n')),
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
    const [shrunk] = await ask(async () => new Response(many.slice(0, 10).join('\n')), [file.id]);
    expect(shrunk).toMatchObject({ outcome: 'new', size: 10 });
    const two = [file, { id: 'anthropic/bots', url: 'https://operator.example/bots.json' }];
    const fetch = async (url: string | URL | Request) =>
      new Request(url).url.endsWith('bots.json')
        ? new Response('2.2.2.0/24')
        : new Response('', { status: 500 });
    const updated = await updateRanges(store, { files: two, fetch, clock, signal });
    expect(updated.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['anthropic/bots', 'new'],
      ['openai/gptbot', 'failed'],
    ]);
  });

  test('are taken from a folder laid out by operator, all or none', async () => {
    const { store } = await open();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-lists-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'openai'));
    await mkdir(join(folder, 'proxy'));
    const list =
      '{"creationTime":"2026-11-18T10:00:00","prefixes":[{"ipv4Prefix":"20.171.207.0/24"}]}';
    await writeFile(join(folder, 'openai/gptbot.json'), list);
    await writeFile(join(folder, 'proxy/cdn.txt'), '173.245.48.0/20\n');
    await expect(importRanges(store, { path: folder })).rejects.toThrow('--fetched-at');
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
    await expect(importRanges(store, { path: join(folder, 'openai/gptbot.json') })).rejects.toThrow(
      '--list',
    );
    await expect(importRanges(store, { path: join(folder, 'none') })).rejects.toThrow(
      'there is no such file',
    );
  });

  test('of a folder leave out what is no list, and say which no bot is judged by', async () => {
    const { store } = await open();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-lists-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'openai'));
    await writeFile(join(folder, 'README.md'), 'Fetched on Fridays.\n');
    await writeFile(join(folder, 'openai/gptbot.json'), '1.1.1.0/24\n');
    await writeFile(join(folder, 'openai/gpt-bot.json'), '1.1.1.0/24\n');
    const files = await importRanges(store, { path: folder, fetchedMs: start });
    expect(files.map(({ id, isUsed }) => [id, isUsed])).toEqual([
      ['openai/gpt-bot', false],
      ['openai/gptbot', true],
    ]);
  });

  test('hold no shorter when they are taken again', async () => {
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

  test('of few networks must not lose most of them either', async () => {
    const { store } = await open();
    const ask = (body: string) =>
      updateRanges(store, {
        files: [file],
        fetch: async () => new Response(body),
        clock: () => start,
        signal,
      });
    await ask(Array.from({ length: 8 }, (_, index) => `1.1.${index}.0/24`).join('\n'));
    expect(await ask('1.1.1.0/24')).toMatchObject([{ outcome: 'failed' }]);
    expect(await ask('1.1.1.0/24\n1.1.2.0/24\n1.1.3.0/24\n1.1.4.0/24')).toMatchObject([
      { outcome: 'new', size: 4 },
    ]);
  });

  test('answer by the version nearest in time, the later of two as near', async () => {
    const { store } = await open();
    const keep = (first: number, last: number, prefix: string) =>
      keepFileVersion(store.writer, {
        fileId: file.id,
        content: writeListContent([prefix]),
        firstMs: start + first * day,
        lastMs: start + last * day,
      });
    await keep(0, 2, '1.1.1.0/24');
    await keep(6, 9, '2.2.2.0/24');
    const ranges = createRangeEvidence(await readFileVersions(store.writer));
    const address = parseAddress('2.2.2.2');
    if (address === undefined) throw new Error('not read');
    const prefixAt = (at: number) => ranges.ask(file.id, address, start + at * day)?.prefix;
    expect([-9, 0, 2, 3.9, 4, 6, 100].map(prefixAt)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      '2.2.2.0/24',
      '2.2.2.0/24',
      '2.2.2.0/24',
    ]);
  });
});
