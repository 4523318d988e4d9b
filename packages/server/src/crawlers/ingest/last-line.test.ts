import { appendFile, utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { line, makePlace, now, openOnSqlite } from '../../../test/logs/log-place.ts';
import { ingestFiles } from './ingest.ts';
import { gzipSync } from 'node:zlib';

const open = openOnSqlite();
const whole = line('45.9.148.3', 1, 'Bytespider').replace('\n', ' www.acme.com\n');
const [half, rest] = [whole.slice(0, -3), whole.slice(-3)];

/** Sets a file's last change to some milliseconds before the clock of the tests. */
const silent = (path: string, minutes: number) =>
  utimes(path, new Date(now), new Date(now - minutes * 60_000));

test('a last line without a newline waits for it, and the ingest says so', async () => {
  const place = await makePlace(await open());
  const path = await place.write('a.log', half);
  await silent(path, 59);
  const context = await place.prepare({});
  const { summary, waiting } = await ingestFiles([path], context, { stdin: Readable.from([]) });
  expect([summary.lines, waiting]).toEqual([0, [path]]);
  await appendFile(path, rest);
  expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsNew: 1 });
  expect((await place.rows()).map(({ host }) => host)).toEqual(['www.acme.com']);
});

test('a last line without a newline is read after an hour of silence, once', async () => {
  const place = await makePlace(await open());
  const path = await place.write('a.log', whole.trimEnd());
  await silent(path, 60);
  expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsNew: 1 });
  expect((await place.ingest(path)).lines).toBe(0);
  await appendFile(path, '\n');
  expect(await place.ingest(path)).toMatchObject({ hitsNew: 0, hitsKnown: 0 });
  expect(await place.rows()).toHaveLength(1);
});

test.each(['through a pipe', 'packed'])(
  'a last line is read at the end of a stream, %s',
  async (how) => {
    const place = await makePlace(await open());
    const path = how === 'packed' ? await place.write('a.log.gz', gzipSync(whole.trimEnd())) : '-';
    const summary = await place.ingest(path, {}, Readable.from([Buffer.from(whole.trimEnd())]));
    expect(summary).toMatchObject({ lines: 1, hitsNew: 1 });
  },
);
