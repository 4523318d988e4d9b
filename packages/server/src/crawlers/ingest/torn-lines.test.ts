import { appendFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { line, makePlace, openOnSqlite } from '../../../test/log-place.ts';
import { createIdentity } from '../hits/identity.ts';
import { writtenLine } from '../written-line.ts';
import { ingestFiles } from './ingest.ts';
import { createTornLines } from './torn-lines.ts';

describe('the last line of a log', () => {
  const openSqlite = openOnSqlite();
  const format = 'fields=time,address,method,user_agent,target';
  const fetched = (path: string) => `2026-11-20T12:00:00Z\t45.9.148.3\tGET\tBytespider\t${path}`;

  test('counts without a newline, and once when it gets one', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('a.log', line('45.9.148.3', 1, 'Bytespider').trimEnd());
    expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsNew: 1 });
    const before = await place.state();
    expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsKnown: 1 });
    await appendFile(path, '\r\n');
    expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsKnown: 1 });
    expect(await place.state()).toEqual(before);
  });

  test.each([
    ['before it', '/page/1\n/page/1', '2\n'],
    ['after it', '/page/1', '2\n/page/1\n'],
  ])('that is like a whole one %s when torn takes nothing of that', async (_where, some, rest) => {
    const place = await makePlace(await openSqlite());
    const written = (text: string) => text.replaceAll(/\/page/g, fetched('/page'));
    const path = await place.write('a.log', written(some));
    await place.ingest(path, { format });
    await appendFile(path, written(rest));
    await place.ingest(path, { format });
    await place.ingest(path, { format });
    expect(await paths(place)).toEqual(['/page/1', '/page/12']);
  });

  test('that another file has whole, as it was when torn, stays when it is completed here', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('a.log', fetched('/page/1'));
    await place.ingest(path, { format });
    await place.ingest(await place.write('b.log', `${fetched('/page/1')}\n`), { format });
    await appendFile(path, '2\n');
    await place.ingest(path, { format });
    expect(await paths(place)).toEqual(['/page/1', '/page/12']);
  });

  test('stays where the file is written over with others', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('a.log', line('45.9.148.3', 1, 'Bytespider').trimEnd());
    await place.ingest(path);
    await writeFile(path, line('45.9.148.3', 2, 'Bytespider') + line('45.9.148.3', 3, 'GPTBot'));
    await place.ingest(path);
    expect(await place.rows()).toHaveLength(3);
  });

  test('leaves nothing of its half where it is other traffic when whole', async () => {
    const place = await makePlace(await openSqlite());
    const own = 'fields=time,address,method,target,user_agent';
    const torn = '2026-11-20T12:00:00Z\t45.9.148.3\tGET\t/\tBytespider';
    const path = await place.write('a.log', torn);
    expect(await place.ingest(path, { format: own })).toMatchObject({ hitsNew: 1 });
    await appendFile(path, 'ish\n');
    expect(await place.ingest(path, { format: own })).toMatchObject({ otherTraffic: 1 });
    expect(await place.rows()).toEqual([]);
  });

  test.each(['read on', 'from the start', 'packed', 'through a pipe'])(
    'leaves nothing of its half when it is whole, %s',
    async (how) => {
      const place = await makePlace(await openSqlite());
      const whole = line('45.9.148.3', 1, 'Bytespider').replace('\n', ' www.acme.com\n');
      const path = await place.write('a.log', whole.slice(0, -3));
      await place.ingest(path);
      await appendFile(path, whole.slice(-3));
      const packed = await place.write('a.log.gz', gzipSync(whole));
      const read = { 'through a pipe': '-', packed }[how] ?? path;
      const context = await place.prepare({});
      await ingestFiles([read], context, {
        stdin: Readable.from([Buffer.from(whole)]),
        fromStart: how === 'from the start',
      });
      await place.ingest(path);
      expect((await place.rows()).map(({ host }) => host)).toEqual(['www.acme.com']);
    },
  );
});

test('a line is compared with thousands that were torn by one fingerprint a length', () => {
  const identity = createIdentity(Buffer.alloc(32));
  let made = 0;
  const fingerprint = (text: Buffer | string) => {
    made++;
    return identity.fingerprint(text);
  };
  const lines = createTornLines([], { ...identity, fingerprint });
  const half = (id: number) => `${id}/`.padStart(20 + (id % 3), '.');
  for (let id = 0; id < 3000; id++) {
    lines.remember({ id: String(id), torn: lines.tear(writtenLine(half(id))) });
  }
  made = 0;
  for (const text of [half(7), `${half(1001)} and more`, 'x'.repeat(21)])
    lines.complete(writtenLine(text));
  expect(lines.drain()).toEqual(['7', '1001']);
  expect(made).toBeLessThanOrEqual(9);
});

async function paths({ rows }: Awaited<ReturnType<typeof makePlace>>): Promise<readonly string[]> {
  return (await rows()).map(({ path }) => path).toSorted();
}
