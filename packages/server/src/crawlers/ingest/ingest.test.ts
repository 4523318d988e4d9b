import fc from 'fast-check';
import { appendFile, chmod, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../test/stores.ts';
import type { Store } from '../../storage/store.ts';
import { createWorkspace } from '../../workspaces/workspaces.ts';
import { parsePrefix } from '../addresses/prefix.ts';
import { createRangeSet } from '../addresses/range-set.ts';
import { keepFileVersion, writeListContent } from '../ranges/operator-files.ts';
import { ingestFiles, prepareIngest } from './ingest.ts';
import type { IngestOptions } from './ingest.ts';
import type { IngestSummary } from './summary.ts';

const now = Date.parse('2026-11-21T00:00:00.000Z');
const clock = (): number => now;
const agents = [
  'GPTBot/1.3',
  'Bytespider',
  'GrokBot/1.0',
  'ClaudeBot/1.0',
  'Chrome/120',
  'Google-Extended',
];

eachStore('an ingest', (open) => {
  test('makes hits of the lines of bots, and judges them by the lists', async () => {
    const place = await makePlace(await open());
    const log = [
      line('20.171.207.5', 0, 'GPTBot/1.3'),
      line('45.9.148.3', 1, 'GPTBot/1.3'),
      line('45.9.148.4', 2, 'Chrome'),
    ];
    const summary = await place.ingest(await place.write('access.log', log.join('')));
    expect(summary).toMatchObject({
      lines: 3,
      hitsNew: 2,
      hitsKnown: 0,
      otherTraffic: 1,
      skipped: 0,
    });
    expect(summary.bots).toEqual([
      {
        bot: 'GPTBot',
        company: 'OpenAI',
        category: 'crawler',
        verified: 1,
        spoofed: 1,
        unverified: 0,
      },
    ]);
    expect(
      (await place.rows()).map(({ path, status, address }) => [path, status, address]),
    ).toEqual([
      ['/p', 200, '20.171.207.5'],
      ['/p', 200, '45.9.148.3'],
    ]);
  });

  test('of the same log again, by whatever name and packing, adds nothing', async () => {
    const place = await makePlace(await open());
    const log = lines(200);
    const path = await place.write('access.log', log);
    const first = await place.ingest(path);
    const before = await place.state();
    expect((await place.ingest(path)).lines).toBe(0);
    for (const [name, bytes] of [
      ['copy.log', Buffer.from(log)],
      ['access.log.gz', gzipSync(log)],
      ['access.log.zst', zstdCompressSync(log)],
      ['access.log.br', brotliCompressSync(log)],
    ] as const) {
      const again = await place.ingest(await place.write(name, bytes));
      expect(again).toMatchObject({
        lines: 200,
        hitsNew: 0,
        hitsKnown: first.hitsNew + first.hitsKnown,
      });
    }
    expect(await place.ingest('-', {}, Readable.from([Buffer.from(log)]))).toMatchObject({
      hitsNew: 0,
    });
    expect(await place.state()).toEqual(before);
  });

  test('that is stopped in the middle keeps what it wrote, and the next one does the rest', async () => {
    const place = await makePlace(await open());
    const path = await place.write('access.log', lines(8000));
    const stop = new AbortController();
    await place.ingest(path, { signal: stop.signal, onRead: () => stop.abort() });
    const some = (await place.rows()).length;
    expect(some).toBeGreaterThan(0);
    const rest = await place.ingest(path);
    expect((await place.rows()).length).toBe(some + rest.hitsNew);
    const whole = await makePlace(await open());
    await whole.ingest(await whole.write('access.log', lines(8000)));
    expect(await place.verdicts()).toEqual(await whole.verdicts());
  });

  test('of one file twice at once adds every hit once', async () => {
    const place = await makePlace(await open());
    const path = await place.write('access.log', lines(5000));
    const [left, right] = await Promise.all([place.ingest(path), place.ingest(path)]);
    expect(left.hitsNew + right.hitsNew).toBe((await place.rows()).length);
  });

  test('takes back the verdicts of a forger’s neighbours where the address turns out to be a proxy', async () => {
    const place = await makePlace(await open());
    const claims = ['Bytespider', 'GrokBot/1.0', 'DeepSeekBot'].map((agent, index) =>
      line('45.9.148.3', index, agent),
    );
    await place.ingest(await place.write('a.log', claims.join('')));
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['spoofed']));
    const people = Array.from({ length: 30 }, (_, index) =>
      line('45.9.148.3', 100 + index, 'Chrome'),
    );
    const summary = await place.ingest(
      await place.write('b.log', [...people, line('45.9.148.3', 50, 'GPTBot/1.3')].join('')),
    );
    expect(summary.proxies).toEqual(['45.9.148.3']);
    expect(new Set(Object.values(await place.verdicts()))).toEqual(new Set(['unverified']));
  });

  test('drops nothing of a line that differs in its status alone, whatever comes first', async () => {
    const both = [
      line('45.9.148.3', 1, 'Bytespider'),
      line('45.9.148.3', 1, 'Bytespider').replace(' 200 ', ' 304 '),
    ];
    for (const order of [both, both.toReversed()]) {
      const place = await makePlace(await open());
      for (const one of order) await place.ingest(await place.write('a.log', one));
      expect((await place.rows()).map(({ status }) => status)).toEqual([200]);
    }
  });
});

eachStore('a log in pieces', (open) => {
  const pieces = fc.record({
    count: fc.integer({ min: 1, max: 14 }),
    seed: fc.nat(1000),
    cuts: fc.array(fc.nat(2500), { maxLength: 6 }),
    order: fc.array(fc.nat(20), { maxLength: 8 }),
  });

  test('appended to at any byte gives the hits of the whole', async () => {
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(pieces, async ({ count, seed, cuts }) => {
        const log = Buffer.from(lines(count, seed));
        const grown = await makePlace({ store });
        const path = await grown.write('access.log', '');
        let done = 0;
        for (const cut of [
          ...cuts.map((place) => place % (log.length + 1)).toSorted((a, b) => a - b),
          log.length,
        ]) {
          await appendFile(path, log.subarray(done, cut));
          done = cut;
          expectSum(await grown.ingest(path));
        }
        const whole = await makePlace({ store });
        await whole.ingest(await whole.write('whole.log', log));
        expect(await grown.verdicts()).toEqual(await whole.verdicts());
      }),
      { numRuns: 12 },
    );
  });

  test('cut at lines, in any order and any number of times, gives the hits of the whole', async () => {
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(pieces, async ({ count, seed, order }) => {
        const all = lines(count, seed).split(/(?<=\n)/);
        const parts = await makePlace({ store });
        const places = [...order.map((place) => place % all.length), ...all.keys()].toSorted(
          (left, right) => ((left * 7 + seed) % 5) - ((right * 7 + seed) % 5),
        );
        for (const [index, place] of places.entries()) {
          expectSum(await parts.ingest(await parts.write(`${index}.log`, all[place] ?? '')));
        }
        const whole = await makePlace({ store });
        await whole.ingest(await whole.write('whole.log', all.join('')));
        expect(await parts.verdicts()).toEqual(await whole.verdicts());
      }),
      { numRuns: 5 },
    );
  });

  test('of any bytes never fails, and its lines are the sum of what became of them', async () => {
    const { store } = await open();
    const place = await makePlace({ store });
    const rows = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 80 }),
        fc.nat(5).map((index) => Buffer.from(line('45.9.148.3', index, 'GPTBot'))),
      ),
      { maxLength: 12 },
    );
    let index = 0;
    await fc.assert(
      fc.asyncProperty(rows, async (bytes) => {
        expectSum(await place.ingest(await place.write(`${index++}.log`, Buffer.concat(bytes))));
      }),
      { numRuns: 30 },
    );
  });
});

describe('files', () => {
  const openSqlite = openOnSqlite();

  test('that cannot be read are told, and the others are read', async () => {
    const place = await makePlace(await openSqlite());
    const good = await place.write('good.log', line('45.9.148.3', 1, 'Bytespider'));
    const locked = await place.write('locked.log', lines(3));
    await chmod(locked, 0);
    const missing = join(place.folder, 'missing.log');
    const broken = await place.write('broken.log.gz', gzipSync(lines(2000)).subarray(0, 300));
    const context = await place.prepare({});
    const { summary, failed } = await ingestFiles([missing, place.folder, broken, good], context, {
      stdin: Readable.from([]),
    });
    expect(failed.map(({ path }) => path)).toEqual([missing, place.folder, broken]);
    expect(failed[0]?.why).toBe('there is no such file');
    expect(summary.bots.find(({ bot }) => bot === 'Bytespider')).toBeDefined();
  });

  test('that were rotated are read on by whatever name, and the new one from its start', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path);
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, line('45.9.148.3', 500, 'Bytespider'));
    await writeFile(path, line('45.9.148.3', 501, 'Bytespider'));
    expect(await place.ingest(`${path}.1`)).toMatchObject({ lines: 1, hitsNew: 1 });
    expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsNew: 1 });
  });

  test('that were cut and written anew are read from their start', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path);
    await truncate(path, 0);
    await appendFile(path, lines(40, 77));
    expect((await place.ingest(path)).lines).toBe(40);
  });

  test('read under other options are read from their start', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path, { sinceMs: now });
    expect((await place.ingest(path)).lines).toBe(10);
  });

  test('with a line of hundreds of megabytes take little memory, and the lines around it are read', async () => {
    const place = await makePlace(await openSqlite());
    const context = await place.prepare({});
    const chunk = Buffer.alloc(1 << 20, 0x61);
    async function* bytes() {
      yield Buffer.from(line('45.9.148.3', 1, 'Bytespider'));
      for (let count = 0; count < 300; count++) yield chunk;
      yield Buffer.from(`\n${line('45.9.148.3', 2, 'Bytespider')}`);
    }
    const before = process.memoryUsage().rss;
    const { summary } = await ingestFiles(['-'], context, { stdin: Readable.from(bytes()) });
    expect(summary).toMatchObject({ lines: 3, hitsNew: 2, skipped: 1 });
    expect(summary.skips[0]?.reason).toBe('too_long');
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });
});

describe('a line', () => {
  const openSqlite = openOnSqlite();

  test('behind a trusted proxy is of the client that X-Forwarded-For names', async () => {
    const place = await makePlace(await openSqlite());
    const prefix = parsePrefix('10.0.0.0/8');
    const forwarded = (hops: string) =>
      line('10.0.0.3', 1, 'GPTBot/1.3').replace('\n', ` "${hops}"\n`);
    const path = await place.write('a.log', forwarded('1.2.3.4, 20.171.207.5, 10.0.0.9'));
    await place.ingest(path);
    await place.ingest(path, {
      trusted: createRangeSet(prefix === undefined ? [] : [prefix]),
      trustedWords: ['10.0.0.0/8'],
    });
    expect(
      (await place.rows()).map(({ address, verification }) => [address, verification]),
    ).toEqual([
      ['10.0.0.3', 'unverified'],
      ['20.171.207.5', 'verified'],
    ]);
  });

  test('keeps no query unless asked to, and the host where it is given', async () => {
    const place = await makePlace(await openSqlite());
    const text = line('45.9.148.3', 1, 'Bytespider').replace('/p ', '/p?name=somebody ');
    await place.ingest(await place.write('a.log', text), { host: 'www.example.com' });
    await place.ingest(await place.write('b.log', text), { keepsQuery: true });
    expect((await place.rows()).map(({ path, host }) => [path, host]).toSorted()).toEqual([
      ['/p', 'www.example.com'],
      ['/p?name=somebody', null],
    ]);
  });

  test('of a dry run is judged and not written', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('a.log', lines(30));
    const dry = await place.ingest(path, { isDryRun: true });
    expect(dry.lines).toBe(30);
    expect(await place.rows()).toEqual([]);
    expect((await place.ingest(path)).lines).toBe(30);
  });
});

/** A line of a combined log; the second stands for a time, so many seconds after a noon. */
function line(address: string, second: number, agent: string): string {
  const at = new Date(Date.parse('2026-11-20T12:00:00.000Z') + second * 1000).toISOString();
  return `${address} - - [20/Nov/2026:${at.slice(11, 19)} +0000] "GET /p HTTP/1.1" 200 5 "-" "${agent}"\n`;
}

/** Lines of few addresses and agents, so that neighbours and repetitions occur. */
function lines(count: number, seed = 1): string {
  return Array.from({ length: count }, (_, index) => {
    const mixed = (index * 7919 + seed * 104_729) % 10_007;
    return line(`45.9.148.${mixed % 11}`, (mixed * 13) % 9000, agents[mixed % agents.length] ?? '');
  }).join('');
}

function expectSum({
  lines: read,
  hitsNew,
  hitsKnown,
  otherTraffic,
  skipped,
}: IngestSummary): void {
  expect(hitsNew + hitsKnown + otherTraffic + skipped).toBe(read);
  expect(skipped).toBeGreaterThanOrEqual(0);
}

function openOnSqlite(): () => Promise<{ store: Store }> {
  return async () => {
    const { openStore } = await import('../../storage/open.ts');
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    const store = await openStore(`file:${join(folder, 'x.db')}`, { mayCreate: true });
    onTestFinished(async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    });
    return { store };
  };
}

let places = 0;

/** A folder for logs and a workspace whose store has one list. */
async function makePlace({ store }: { store: Store }) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-logs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { id: workspaceId } = await createWorkspace(store, {
    slug: `place-${places++}`,
    name: 'Acme',
    brand: { name: 'Acme' },
    clock,
  });
  // The same secret in every workspace, so that ids can be compared.
  await store.writer
    .insertInto('crawler_settings')
    .values({ workspace_id: workspaceId, secret: '00'.repeat(32), keep_addresses_days: 30 })
    .execute();
  await keepFileVersion(store.writer, {
    fileId: 'openai/gptbot',
    content: writeListContent(['20.171.207.0/24']),
    firstMs: now,
    lastMs: now,
  });
  const prepare = (options: Partial<IngestOptions>) =>
    prepareIngest(store, {
      workspaceId,
      format: 'auto',
      clock,
      signal: new AbortController().signal,
      ...options,
    });
  const rows = () =>
    store.writer
      .selectFrom('hits')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('hit_at')
      .orderBy('address')
      .execute();
  return {
    folder,
    prepare,
    rows,
    write: async (name: string, content: string | Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    ingest: async (
      path: string,
      options: Partial<IngestOptions> = {},
      stdin = Readable.from([]),
    ) => {
      const { summary, failed } = await ingestFiles([path], await prepare(options), { stdin });
      expect(failed).toEqual([]);
      return summary;
    },
    /** What the API would show of each hit, by id. */
    verdicts: async () =>
      Object.fromEntries((await rows()).map(({ id, verification }) => [id, verification])),
    /** Everything that an ingest may change in answers. */
    state: async () => ({
      rows: await rows(),
      revision: await store.writer
        .selectFrom('revisions')
        .select('revision')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst(),
    }),
  };
}
