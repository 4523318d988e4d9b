import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { line, lines, makePlace, now, openOnSqlite } from '../../../test/logs/log-place.ts';
import { ingestFiles } from './ingest.ts';

describe('files', () => {
  const openSqlite = openOnSqlite();

  test('files that do not exist are named, and the others are read', async () => {
    const place = await makePlace(await openSqlite());
    const good = await place.write('good.log', line('45.9.148.3', 1, 'Bytespider'));
    const missing = join(place.folder, 'missing.log');
    const broken = await place.write('broken.log.gz', gzipSync(lines(2000)).subarray(0, 300));
    const context = await place.prepare({});
    const { summary, failed } = await ingestFiles([missing, place.folder, broken, good], context, {
      stdin: Readable.from([]),
    });
    expect(failed.map(({ path }) => path)).toEqual([missing, place.folder, broken]);
    expect(failed[0]?.why).toMatchObject({ code: 'file_unreadable', facts: { errno: 'ENOENT' } });
    expect(summary.hitsNew).toBeGreaterThan(0);
    expect((await place.rows()).map(({ bot_name: bot }) => bot)).toContain('Bytespider');
  });

  test('access.log.gz is not read again until it changes', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log.gz', gzipSync(lines(10)));
    expect((await place.ingest(path)).lines).toBe(10);
    expect((await place.ingest(path)).lines).toBe(0);
    expect((await place.ingest(path, { host: 'www.example.com' })).lines).toBe(10);
    await writeFile(path, gzipSync(lines(12)));
    expect((await place.ingest(path)).lines).toBe(12);
    const context = await place.prepare({});
    const again = await ingestFiles([path], context, {
      stdin: Readable.from([]),
      isFromStart: true,
    });
    expect(again.summary.lines).toBe(12);
  });

  test('a compressed file that was not read to its end is read again', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log.gz', gzipSync(lines(3000)));
    const stop = new AbortController();
    await place.ingest(path, { signal: stop.signal, onRead: () => stop.abort() });
    expect((await place.ingest(path)).lines).toBe(3000);
  });

  test('a rotated file is read on under any name, and the new one from its start', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path);
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, line('45.9.148.3', 500, 'Bytespider'));
    await writeFile(path, line('45.9.148.3', 501, 'Bytespider'));
    expect(await place.ingest(`${path}.1`)).toMatchObject({ lines: 1, hitsNew: 1 });
    expect(await place.ingest(path)).toMatchObject({ lines: 1, hitsNew: 1 });
  });

  test('a file that was truncated and overwritten is read from its start', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path);
    await truncate(path, 0);
    await appendFile(path, lines(40, 77));
    expect((await place.ingest(path)).lines).toBe(40);
  });

  test('the fingerprint of a file reveals nothing of a visitor’s line', async () => {
    const place = await makePlace(await openSqlite());
    const visit = line('45.9.148.3', 1, 'Chrome');
    await place.ingest(await place.write('access.log', visit));
    const kept = await place.store.writer.selectFrom('log_files').selectAll().executeTakeFirst();
    expect(kept?.fingerprint).toMatch(new RegExp(`^${visit.length}:[\\w-]{32,}$`));
    const plain = createHash('sha256').update(visit).digest('base64url');
    expect(kept?.fingerprint).not.toContain(plain.slice(0, 20));
  });

  test('an array of JSON objects on one line, longer than a line may be, is read object by object', async () => {
    const place = await makePlace(await openSqlite());
    const items = Array.from({ length: 500 }, (_, n) =>
      JSON.stringify({
        proxy: {
          timestamp: now - n * 1000,
          method: 'GET',
          host: 'example.com',
          path: `/${n}`,
          userAgent: ['Bytespider'],
          clientIp: '45.9.148.3',
        },
        message: 'x'.repeat(300),
      }),
    );
    const summary = await place.ingest(await place.write('drain.json', `[${items.join(',')}]\n`));
    expect(summary).toMatchObject({ hitsNew: 500 });
    expect(summary.lines).toBe(500 + summary.skipped);
  });

  test('a compressed pipe is read to its end', async () => {
    const place = await makePlace(await openSqlite());
    const pipe = join(place.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [summary] = await Promise.all([place.ingest(pipe), writeFile(pipe, gzipSync(lines(9)))]);
    expect(summary.lines).toBe(9);
  });

  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  test.each([
    ['gz', gzipSync],
    ['br', (text: string) => brotliCompressSync(text, quick)],
  ] as const)(
    'a truncated .%s file keeps what can be unpacked, and is read whole later',
    async (extension, pack) => {
      const place = await makePlace(await openSqlite());
      const random = Array.from({ length: 3000 }, (_, n) =>
        line('45.9.148.3', n, `Bytespider ${createHash('sha256').update(String(n)).digest('hex')}`),
      );
      const packed = pack(random.join(''));
      const path = await place.write(
        `cut.log.${extension}`,
        packed.subarray(0, packed.length - 20),
      );
      const context = await place.prepare({});
      const { summary, failed } = await ingestFiles([path], context, { stdin: Readable.from([]) });
      expect(failed.map((each) => each.path)).toEqual([path]);
      expect(summary.hitsNew).toBeGreaterThan(1000);
      await writeFile(path, packed);
      const whole = await place.ingest(path);
      expect(summary.hitsNew + whole.hitsNew).toBe(3000);
    },
  );

  test('a file is read from its start under other options', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    await place.ingest(path, { sinceMs: now });
    expect((await place.ingest(path)).lines).toBe(10);
  });

  test('a file with a relative --since is read on as the bound moves', async () => {
    const place = await makePlace(await openSqlite());
    const path = await place.write('access.log', lines(10));
    const day = 86_400_000;
    await place.ingest(path, { sinceMs: now - 7 * day, sinceWords: '7d' });
    expect((await place.ingest(path, { sinceMs: now - 6 * day, sinceWords: '7d' })).lines).toBe(0);
    expect((await place.ingest(path, { sinceMs: now - 8 * day, sinceWords: '8d' })).lines).toBe(10);
  });

  test('a line of hundreds of megabytes takes little memory, and the lines around it are read', async () => {
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
