import { appendFile, mkdtemp, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../storage/open/open-store.ts';
import { createWorkspace } from '../../workspaces/workspaces.ts';
import { followFiles } from './follow-files.ts';
import { prepareIngest } from './prepare-ingest.ts';
import { keepFileVersion, writeListContent } from '../operators/file-versions.ts';
import { addWorkspaceBot } from '../bots/workspace-bots.ts';

const waitMs = 10;
/** Polls without growth after which a renamed file is closed. */
const quietPolls = 40;

test('a followed log is read through appends, incomplete lines, renames, truncations, absences and restarts', async () => {
  const place = await follow();
  await writeFile(place.path, line(1));
  await place.expectHits(1);
  const half = line(2).slice(0, 40);
  await appendFile(place.path, half);
  await appendFile(place.path, line(2).slice(40));
  await place.expectHits(2);

  await rename(place.path, `${place.path}.1`);
  await appendFile(`${place.path}.1`, line(3));
  await place.expectHits(3);
  await writeFile(place.path, line(4));
  await place.expectHits(4);

  await truncate(place.path, 0);
  await appendFile(place.path, line(5));
  await place.expectHits(5);

  await place.stop();
  await appendFile(place.path, line(6));
  await place.start();
  await place.expectHits(6);

  await unlink(place.path);
  await writeFile(place.path, line(7));
  await place.expectHits(7);
  const { lines } = await place.stop();
  expect(lines).toBe(2);
});

test('a followed log that is truncated and overwritten at once is read from its beginning', async () => {
  const place = await follow();
  await writeFile(place.path, line(1));
  await place.expectHits(1);
  await writeFile(place.path, line(2) + line(3));
  await place.expectHits(3);
  await writeFile(place.path, line(4) + line(5));
  await place.expectHits(5);
  const { lines } = await place.stop();
  expect(lines).toBe(5);
});

test('a renamed log is read on beside the new one until it stops growing', async () => {
  const place = await follow();
  await writeFile(place.path, line(1));
  await place.expectHits(1);
  await rename(place.path, `${place.path}.1`);
  await writeFile(place.path, line(2));
  await place.expectHits(2);
  await appendFile(`${place.path}.1`, line(3));
  await place.expectHits(3);
  await appendFile(place.path, line(4));
  await appendFile(`${place.path}.1`, line(5));
  await place.expectHits(5);
  await place.passPolls(quietPolls + 1);
  await appendFile(`${place.path}.1`, line(6));
  await appendFile(place.path, line(7));
  await place.expectHits(6);
  const { lines } = await place.stop();
  expect(lines).toBe(6);
});

test('a log that was rotated twice while nothing followed it is read to the end of each file', async () => {
  const place = await follow();
  await writeFile(place.path, line(1));
  await place.expectHits(1);
  await place.stop();
  await appendFile(place.path, line(2));
  await rename(place.path, `${place.path}-20261120`);
  await writeFile(place.path, line(3));
  await place.start();
  await place.expectHits(3);
  await appendFile(`${place.path}-20261120`, line(4));
  await place.expectHits(4);
  await place.stop();
  await appendFile(`${place.path}-20261120`, line(5));
  await appendFile(place.path, line(6));
  await rename(place.path, `${place.path}-20261121`);
  await place.start();
  await place.expectHits(6);
  await writeFile(place.path, line(7));
  await place.expectHits(7);
  const { lines } = await place.stop();
  expect(lines).toBe(3);
});

test('a followed log is judged by lists that were fetched meanwhile', async () => {
  const place = await follow();
  await writeFile(place.path, line(1).replace('Bytespider', 'GPTBot'));
  await place.expectHits(1);
  await keepFileVersion(place.store.writer, {
    fileId: 'openai/gptbot',
    content: writeListContent(['45.9.148.0/24']),
    firstMs: Date.parse('2026-11-20T12:00:00.000Z'),
    lastMs: Date.parse('2026-11-20T12:00:00.000Z'),
  });
  await place.passPolls(1);
  await appendFile(place.path, line(2).replace('Bytespider', 'GPTBot'));
  await place.expectHits(2);
  const rows = await place.store.reader
    .selectFrom('hits')
    .select('verification')
    .orderBy('hit_at')
    .execute();
  expect(rows.map(({ verification }) => verification)).toEqual(['unverified', 'verified']);
});

test('a followed log is read for bots that were added meanwhile', async () => {
  const place = await follow();
  await writeFile(place.path, line(1) + line(2).replace('Bytespider', 'AcmeReader/2.0'));
  await place.expectHits(1);
  await addWorkspaceBot(place.store, place.workspaceId, {
    token: 'AcmeReader',
    name: 'AcmeReader',
    company: 'Acme Labs',
    category: 'crawler',
    docs: null,
    checked: null,
  });
  await appendFile(place.path, line(3).replace('Bytespider', 'AcmeReader/2.0'));
  await place.expectHits(2);
  await place.stop();
  const hits = await place.store.writer
    .selectFrom('hits')
    .select('bot_name')
    .orderBy('bot_name')
    .execute();
  expect(hits.map(({ bot_name: bot }) => bot)).toEqual(['AcmeReader', 'Bytespider']);
});

async function follow() {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-follow-'));
  const store = await openStore(`file:${join(folder, 'x.db')}`, { mayCreate: true });
  onTestFinished(async () => {
    await stop();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  let now = Date.parse('2026-11-21T00:00:00.000Z');
  const clock = () => now;
  const { id: workspaceId } = await createWorkspace(store, {
    slug: 'acme',
    name: 'Acme',
    brand: { name: 'Acme' },
    clock,
  });
  const path = join(folder, 'access.log');
  let prunings = 0;
  const onRefresh = async () => void prunings++;
  let running = await start();
  return {
    path,
    store,
    workspaceId,
    prunings: () => prunings,
    passTime,
    passPolls,
    start: async () => void (running = await start()),
    stop,
    expectHits,
  };

  async function start() {
    const controller = new AbortController();
    const { signal } = controller;
    const context = await prepareIngest(store, { workspaceId, format: 'auto', clock, signal });
    return {
      controller,
      ended: followFiles([path], context, { waitMs, quietMs: quietPolls * waitMs, onRefresh }),
    };
  }

  function passTime(): void {
    now += 3_600_000;
  }

  /** Waits for a number of polls. Hourly work is done before a poll. */
  async function passPolls(count: number): Promise<void> {
    for (let poll = 0; poll < count; poll += 1) {
      const before = prunings;
      passTime();
      await expect.poll(() => prunings, { interval: 5 }).toBe(before + 1);
    }
  }

  async function stop() {
    running.controller.abort();
    return (await running.ended).summary;
  }

  async function expectHits(count: number): Promise<void> {
    const hits = () => store.reader.selectFrom('hits').select('id').execute();
    await expect.poll(hits).toHaveLength(count);
  }
}

function line(second: number): string {
  return `45.9.148.3 - - [20/Nov/2026:12:00:0${second} +0000] "GET /p HTTP/1.1" 200 5 "-" "Bytespider"\n`;
}
