// @module-tag slow

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { combined } from '../../../test/logs/drain-requests.ts';
import { nowMs } from '../../../test/servers/api.ts';
import {
  drainSpool,
  hitsOf,
  post,
  readUntil,
  receiverOf,
  serve,
} from '../../../test/servers/receivers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { listReceivers, skipsOf } from '../../access/receivers.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { removeWorkspace } from '../../workspaces/remove-workspace.ts';
import { keepAddresses } from '../settings.ts';
import { readSpool } from './read-spool.ts';
import { createSpool, listSpool } from './spool.ts';

const clock = () => nowMs;

eachStore('reading received lines', (open) => {
  test(
    'lines of a receiver that the database does not know are kept for 30 days, and make no hits',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token, record } = await receiverOf(store, served.tenant);
      await post(served, token, combined('/before'));
      let isRemoved = false;
      await readUntil(store, served.folder, async (failures) => {
        // The reader has read lines of the receiver by then.
        if (!isRemoved && (await listSpool(served.folder)).length === 0) {
          isRemoved = true;
          await removeWorkspace(store, served.tenant.workspaceId);
          const late = createSpool({ folder: served.folder, bytesMax: 1000, clock });
          await late.add(record.id, Buffer.from(`${combined('/a')}\n`));
        }
        return failures.some((each) => /1 file, .* 30 days/.test(String(each)));
      });
      expect((await post(served, token, combined('/b'))).status).toBe(404);
      expect(await store.reader.selectFrom('hits').selectAll().execute()).toEqual([]);
      const [file] = await listSpool(served.folder, 'unknown');
      expect(await readFile(file?.path ?? '', 'utf8')).toBe(`${combined('/a')}\n`);
      const sweepAt = (time: number, filesLeft: number) =>
        readUntil(
          store,
          served.folder,
          async () => (await readdir(served.folder)).length <= filesLeft,
          () => time,
        );
      await sweepAt(nowMs + 30 * dayMs - 1, 1);
      expect(await listSpool(served.folder, 'unknown')).toHaveLength(1);
      await sweepAt(nowMs + 30 * dayMs, 0);
    },
  );

  test(
    'a workspace that keeps no addresses keeps none of received lines, also when the clock is set back',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { workspaceId } = served.tenant;
      await keepAddresses(store, workspaceId, { days: 0 });
      const { token } = await receiverOf(store, served.tenant);
      await post(served, token, combined('/a'));
      let hoursBack = 0;
      const failures = await readUntil(
        store,
        served.folder,
        async () => {
          const hits = await store.writer.selectFrom('hits').select('address').execute();
          if (hits.length === 0 || hits.some(({ address }) => address !== null)) return false;
          // The same thread reads the second line, an hour earlier by its clock.
          if (hoursBack++ === 0) await post(served, token, combined('/b'));
          return hits.length === 2;
        },
        () => nowMs - hoursBack * 3_600_000,
      );
      expect(failures).toEqual([]);
    },
  );

  test('a server that is told to stop while it reads lines keeps those that it has not read', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    await post(served, token, combined('/a'));
    const stop = new AbortController();
    // The turn has begun once the receiver's workspace is looked up.
    const writer = new Proxy(store.writer, {
      get: (db, name) => {
        stop.abort();
        const value: unknown = Reflect.get(db, name);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    });
    const failures: unknown[] = [];
    await readSpool({ ...store, writer }, served.folder, {
      clock,
      signal: stop.signal,
      onFailure: (error) => failures.push(error),
    });
    expect(failures).toEqual([]);
    expect(await listSpool(served.folder)).toHaveLength(1);
  });

  test(
    'an array of more items than a log can have is skipped as one line, wherever it is',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token } = await receiverOf(store, served.tenant);
      const items = (count: number) => `[{"a":"],\\"["}${',{}'.repeat(count - 1)}]`;
      await post(
        served,
        token,
        `${combined('/a')}\n${items(50_001)}\n{"records":${items(50_001)}}\n`,
      );
      await drainSpool(store, served.folder);
      const [receiver] = await listReceivers(store.access, served.tenant);
      expect(receiver).toMatchObject({ lines: 3, hits: 1, skipped: 2 });
      expect(receiver && skipsOf(receiver)).toEqual({ too_long: 2 });
    },
  );

  test(
    'a file that cannot be read stops no other receiver, and is reported once',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const damaged = await receiverOf(store, served.tenant);
      const { token } = await receiverOf(store, served.tenant);
      // Reading a folder fails as a damaged disk does. Its name sorts before those of received files.
      await mkdir(join(served.folder, `0.${damaged.record.id}.log`), { recursive: true });
      await post(served, token, combined('/a'));
      const isRead = async () => (await listSpool(served.folder)).length === 1;
      const failures = await readUntil(store, served.folder, isRead);
      expect(failures).toHaveLength(1);
      expect(await hitsOf(store, served.tenant)).toHaveLength(1);
    },
  );

  test(
    'a receiver says when lines last came, and how many were skipped and why',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token } = await receiverOf(store, served.tenant);
      await post(served, token, `${combined('/a')}\n\nnot a line of a log\n`);
      await drainSpool(store, served.folder);
      const [receiver] = await listReceivers(store.access, served.tenant);
      expect(receiver).toMatchObject({ lines: 2, hits: 1, skipped: 1 });
      expect(receiver?.received_at).toMatch(/^\d{4}-/);
      expect(receiver && skipsOf(receiver)).toEqual({ unknown_format: 1 });
    },
  );
});
