import { appendFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { line, makePlace, openOnSqlite } from '../../../test/logs/log-place.ts';
import { openPlainLog } from './plain-log.ts';
import { writeFileSync } from 'node:fs';

const open = openOnSqlite();
/** Longer than the stored beginning of a log. */
const heading = `${'-'.repeat(300)}\n`;
const [first = '', second = '', third = '', ...others] = Array.from({ length: 8 }, (_, at) =>
  line('45.9.148.3', at, 'Bytespider'),
);
const seven = [second, third, ...others].join('');

test('a log that is overwritten with the same heading is read from its beginning', async () => {
  const place = await makePlace(await open());
  const context = await place.prepare({});
  const path = await place.write('access.log', heading + first);
  const log = await openPlainLog(path, context);
  await log.read();
  await writeFile(path, heading + seven);
  await log.read();
  await appendFile(path, line('45.9.148.3', 8, 'Bytespider'));
  await log.read();
  expect(log.isIntact).toBe(false);
  await log.close();

  await place.ingest(path);
  expect(await place.rows()).toHaveLength(9);
});

test('a log that is overwritten with the same heading between two reads is read from its beginning', async () => {
  const place = await makePlace(await open());
  const path = await place.write('access.log', heading + first);
  const onRead = () => writeFileSync(path, heading + seven);
  const log = await openPlainLog(path, await place.prepare({ onRead }));
  await log.read();
  expect(log.isIntact).toBe(false);
  await log.close();

  await place.ingest(path);
  expect(await place.rows()).toHaveLength(8);
});

test('half a line of a log that is overwritten while it is read makes no hit', async () => {
  const place = await makePlace(await open());
  const format = 'fields=time,address,method,user_agent,target';
  const context = await place.prepare({ format, clock: () => Date.now() + 2 * 3_600_000 });
  const fetched = (path: string) => `2026-11-20T12:00:00Z\t45.9.148.3\tGET\tBytespider\t${path}`;
  const path = await place.write('access.log', `${fetched('/1')}\n`);
  const log = await openPlainLog(path, context);
  await log.read();
  await writeFile(path, `${fetched('/2')}\n${fetched('/page')}`);
  await log.read();
  await log.close();
  expect((await place.rows()).map((row) => row.path)).toEqual(['/1']);
});
