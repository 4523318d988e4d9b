// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isEverythingTested } from '../../../../test/cases.ts';
import { addReceiver, listReceivers } from '../../src/access/receivers.ts';
import { listSpool } from '../../src/crawlers/spool/spool.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { runCommand } from '../commands/command-line.ts';
import { newTenant } from './api.ts';
import { eachDatabase } from '../stores/stores.ts';
import { startServer } from './server-process.ts';

const kills = isEverythingTested ? 50 : 4;
const senders = 8;
const linesOfRequest = 20;

eachDatabase({ title: 'overheard serve receives log lines', onBoth: false }, (create) => {
  test('lines that were acknowledged just before a kill with -9 are there once after the next start', async () => {
    const database = await create();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await openStore(database, { mayCreate: true });
    onTestFinished(() => store.close());
    const { workspaceId } = await newTenant(store, { clock: Date.now });
    const { token } = await addReceiver(store, { workspaceId, host: 'other', clock: Date.now });
    const options = ['--spool', folder, '--log-level', 'silent'];
    const paths = Array.from({ length: linesOfRequest }, (_, line) => `/page-${line}`);
    const killed = await startServer(database, options);
    const body = paths.map(lineOf).join('\n');
    expect((await fetch(`${killed.url}/ingest/${token}`, { method: 'POST', body })).status).toBe(
      202,
    );
    await killed.stop('SIGKILL');
    await startServer(database, options);
    await expect.poll(() => listSpool(folder), { interval: 5 }).toEqual([]);
    const hits = await store.reader.selectFrom('hits').select('path').execute();
    expect(hits.map((hit) => hit.path).toSorted()).toEqual(paths.toSorted());
  });

  test(
    `each line that was acknowledged is there once after ${kills} kills with -9 under load`,
    { tags: ['long'], timeout: 1_800_000 },
    async () => {
      const database = await create();
      const folder = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const at = ['--database', database];
      await runCommand(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme', ...at]);
      const added = await runCommand(['receiver', 'add', '--workspace', 'acme', '--json', ...at]);
      const path = new URL(JSON.parse(added.stdout).address).pathname;

      const acknowledged = new Set<string>();
      let number = 0;
      let url: string | undefined;
      const over = new AbortController();
      const send = async () => {
        while (!over.signal.aborted) {
          const paths = Array.from({ length: linesOfRequest }, () => `/page-${number++}`);
          const response = await fetch(`${url}${path}`, {
            method: 'POST',
            body: paths.map(lineOf).join('\n'),
          }).catch(() => undefined);
          if (response?.status === 202) for (const each of paths) acknowledged.add(each);
          else await sleep(10);
        }
      };
      const sending = Array.from({ length: senders }, send);
      const options = ['--spool', folder, '--log-level', 'silent'];
      for (let kill = 0; kill < kills; kill++) {
        const server = await startServer(database, options);
        const before = acknowledged.size;
        url = server.url;
        while (acknowledged.size < before + 200) await sleep(5);
        // Each kill is at another place: in a sync, between two, or while hits are written.
        await sleep((kill * 37) % 500);
        await server.stop('SIGKILL');
      }
      over.abort();
      await Promise.all(sending);
      const server = await startServer(database, options);
      while ((await listSpool(folder)).length > 0) await sleep(50);
      expect(await server.stop()).toMatchObject({ code: 0 });

      const store = await openStore(database);
      onTestFinished(() => store.close());
      const hits = await store.reader.selectFrom('hits').select('path').execute();
      const stored = new Set(hits.map((hit) => hit.path));
      expect(acknowledged.size).toBeGreaterThan(200 * kills);
      expect([...acknowledged].filter((each) => !stored.has(each))).toEqual([]);
      expect(hits).toHaveLength(stored.size);
      expect(await listReceivers(store.access)).toMatchObject([{ hits: expect.any(Number) }]);
    },
  );
});

function lineOf(path: string): string {
  return `192.0.2.7 - - [20/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.3"`;
}
