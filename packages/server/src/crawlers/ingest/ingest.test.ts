import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { keepList, line, lines, makePlace, openOnSqlite } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';

eachStore('an ingest', (open) => {
  test('lines of bots become hits that are judged by the lists', async () => {
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

  test('the same log again, under any name and compression, adds nothing', async () => {
    const place = await makePlace(await open());
    const log = lines(200);
    const path = await place.write('access.log', log);
    const first = await place.ingest(path);
    const before = await place.state();
    expect((await place.ingest(path)).lines).toBe(0);
    for (const [name, bytes] of [
      ['copy.log', Buffer.from(log)],
      ['access.log.gz', gzipSync(log)],
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

  test(
    'a stopped ingest keeps what it wrote, and the next one reads the rest',
    { tags: ['slow', 'once'] },
    async () => {
      const place = await makePlace(await open());
      const path = await place.write('access.log', lines(3000));
      const stop = new AbortController();
      await place.ingest(path, { signal: stop.signal, onRead: () => stop.abort() });
      const some = (await place.rows()).length;
      expect(some).toBeGreaterThan(0);
      const rest = await place.ingest(path);
      expect((await place.rows()).length).toBe(some + rest.hitsNew);
      const whole = await makePlace(await open());
      await whole.ingest(await whole.write('access.log', lines(3000)));
      expect(await place.verdicts()).toEqual(await whole.verdicts());
    },
  );

  test('two ingests of one file at once add every hit once', async () => {
    const place = await makePlace(await open());
    const path = await place.write('access.log', lines(1500));
    const [left, right] = await Promise.all([place.ingest(path), place.ingest(path)]);
    expect(left.hitsNew + right.hitsNew).toBe((await place.rows()).length);
  });

  test(
    'the summary has the verdicts in the database for the time that was read',
    { tags: ['once'] },
    async () => {
      const place = await makePlace(await open());
      const claim = (agent: string, second: number) => line('45.9.148.3', second, agent);
      await place.ingest(
        await place.write('a.log', claim('GPTBot/1.3', 1) + claim('GrokBot/1.0', 2)),
      );
      const { bots, hitsKnown } = await place.ingest(
        await place.write('b.log', claim('Bytespider', 3) + claim('GPTBot/1.3', 1)),
      );
      expect(hitsKnown).toBe(1);
      expect(bots.map(({ bot, spoofed, unverified }) => [bot, spoofed, unverified])).toEqual([
        ['Bytespider', 0, 1],
        ['GPTBot', 1, 0],
        ['GrokBot', 0, 1],
      ]);
    },
  );

  test('a dry run says what it would do, and writes nothing', async () => {
    const place = await makePlace(await open());
    const claims = ['Bytespider', 'GrokBot/1.0', 'DeepSeekBot'].map((agent, index) =>
      line('45.9.148.3', index, agent),
    );
    const path = await place.write(
      'a.log',
      [...claims, claims[0], line('1.1.1.1', 5, '-')].join(''),
    );
    await place.store.writer
      .deleteFrom('crawler_settings')
      .where('workspace_id', '=', place.workspaceId)
      .execute();
    const before = await place.everything();
    const dry = await place.tryOut(path);
    expect(await place.everything()).toEqual(before);
    expect(await place.ingest(path)).toEqual(dry);
    expect(dry).toMatchObject({ hitsNew: 3, hitsKnown: 1 });
    expect(dry.bots.map(({ unverified }) => unverified)).toEqual([1, 1, 1]);
    expect((await place.tryOut(path)).lines).toBe(0);
  });

  test(
    'lines that differ in their status alone are one hit with the lower status',
    { tags: ['once'] },
    async () => {
      const both = [
        line('45.9.148.3', 1, 'Bytespider'),
        line('45.9.148.3', 1, 'Bytespider').replace(' 200 ', ' 304 '),
      ];
      for (const order of [both, both.toReversed()]) {
        const place = await makePlace(await open());
        for (const one of order) await place.ingest(await place.write('a.log', one));
        expect((await place.rows()).map(({ status }) => status)).toEqual([200]);
      }
    },
  );

  test('a hit keeps its status if it is read again without one', async () => {
    const place = await makePlace(await open());
    const known = line('45.9.148.3', 1, 'Bytespider');
    for (const one of [known, known.replace(' 200 ', ' - ')]) {
      await place.ingest(await place.write('a.log', one));
    }
    expect((await place.rows()).map(({ status }) => status)).toEqual([200]);
  });

  test(
    'a line that is read again with a better verdict keeps the lower status',
    { tags: ['once'] },
    async () => {
      const place = await makePlace(await open());
      const early = line('20.171.207.5', 1, 'GPTBot/1.3');
      await place.store.writer.deleteFrom('operator_files').execute();
      await place.ingest(await place.write('a.log', early));
      await keepList(place.store, 'openai/gptbot', '20.171.207.0/24');
      await place.ingest(await place.write('b.log', early.replace(' 200 ', ' 304 ')));
      expect(
        (await place.rows()).map(({ verification, status }) => [verification, status]),
      ).toEqual([['verified', 200]]);
    },
  );

  test(
    'a hit read first with a proxy’s list is accused once the list was removed',
    { tags: ['once'] },
    async () => {
      const place = await makePlace(await open());
      const text = line('45.9.148.3', 1, 'GPTBot/1.3');
      await keepList(place.store, 'proxy/edge', '45.9.148.0/24');
      await place.ingest(await place.write('a.log', text));
      await place.store.writer
        .deleteFrom('operator_files')
        .where('file_id', '=', 'proxy/edge')
        .execute();
      await place.ingest(await place.write('b.log', text));
      expect((await place.rows()).map(({ verification }) => verification)).toEqual(['spoofed']);
    },
  );
});

describe('a line', () => {
  const openSqlite = openOnSqlite();

  test('a hit has no query unless asked for, and the given host if the line has none', async () => {
    const place = await makePlace(await openSqlite());
    const text = line('45.9.148.3', 1, 'Bytespider').replace('/p ', '/p?name=somebody ');
    await place.ingest(await place.write('a.log', text), { host: 'www.example.com' });
    await place.ingest(await place.write('b.log', text), { keepsQuery: true });
    expect(
      (await place.rows())
        .map(({ path, host }) => `${path} ${host}`)
        .toSorted((left, right) => (left < right ? -1 : 1)),
    ).toEqual(['/p www.example.com', '/p?name=somebody null']);
  });
});
