import { copyFileSync, existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { cases } from '../../../../test/cases.ts';
import { importRows } from '../../test/answers/answers.ts';
import { everyWrite, startWriting } from '../../test/answers/every-write.ts';
import { call, newTenant, startApi } from '../../test/servers/api.ts';
import { openWarehouse, readChanges } from '../../test/servers/warehouse.ts';
import { eachDatabase, eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { sqlitePath } from '../storage/open/database-url.ts';
import { openStore } from '../storage/open/open-store.ts';
import { databaseFiles } from '../storage/sqlite/files/files.ts';
import type { Store } from '../storage/store.ts';

const changesPath = '/api/v1/changes';
const body = z.object({ changes: z.array(z.object({ kind: z.string(), date: z.string() })) });
const names = Object.keys(everyWrite);

/** Writes that change no row of these kinds. All others must, in their usual order. */
const idleWrites = [
  'import actions',
  'rebuild the scores',
  'drop old addresses',
  'try without writing',
];

eachDatabase('a warehouse that follows changes', (create) => {
  test(
    'a warehouse that follows changes has after every kind of write what a full read has',
    { tags: ['slow', 'once'] },
    async () => {
      const orders = fc.shuffledSubarray(names, { minLength: names.length });
      await fc.assert(
        fc.asyncProperty(orders, async (order) => {
          const url = await create();
          const store = await openStore(url);
          const place = await startWriting(url, store);
          const { key } = await createKey(store, {
            workspaceId: place.workspaceId,
            name: 'warehouse',
            clock: () => place.now.ms,
          });
          const api = await startApi(store, { quota: 0, clock: () => place.now.ms });
          const warehouse = openWarehouse(api, key);
          const idle: string[] = [];
          const isUsual = isDeepStrictEqual(order, names);
          for (const name of order) {
            const before = warehouse.rows();
            // In another order, a command may find nothing to do, and says so.
            const written = everyWrite[name]?.(place);
            await (isUsual ? written : written?.catch(() => {}));
            await warehouse.follow();
            expect([name, warehouse.rows()]).toEqual([name, await warehouse.readAll()]);
            if (isDeepStrictEqual(before, warehouse.rows())) idle.push(name);
          }
          expect(isUsual ? idle : idleWrites).toEqual(idleWrites);
          await api.app.close();
          await store.close();
        }),
        // The example counts as a run.
        { numRuns: cases(3) + 1, examples: [[names]] },
      );
    },
  );
});

const answerOf = (day: number, second = 0) => ({
  prompt: 'Which?',
  engine: 'chatgpt',
  run_at: new Date(Date.UTC(2026, 10, day, 6, 0, second)).toISOString(),
  answer: `Acme ${second}.`,
});

eachStore('the days of changes', (open) => {
  test('two servers that write at once lose no day of a client that reads meanwhile', async () => {
    const { store, url } = await open();
    const other = await openStore(url);
    onTestFinished(() => other.close());
    const { workspaceId, key } = await newTenant(store);
    const warehouse = openWarehouse(await startApi(store, { quota: 0 }), key);
    const writing = { isOpen: true };
    const followed = (async () => {
      while (writing.isOpen) await warehouse.follow();
    })();
    const writes = [store, other].map(async (server, number) => {
      for (let second = 0; second < 4; second += 1) {
        const days = [1, 2, 3].map((day) => answerOf(day + 3 * (second % 2), second * 2 + number));
        await importRows(server, workspaceId, days, { acceptsNearDuplicates: true });
      }
    });
    await Promise.all(writes);
    writing.isOpen = false;
    await followed;
    await warehouse.follow();
    expect(warehouse.rows()).toEqual(await warehouse.readAll());
    expect(Object.keys(warehouse.rows())).toHaveLength(18);
  });

  test(
    'a write names its own days alone, and a client that knows them gets no day',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, key } = await newTenant(store);
      const api = await startApi(store, { quota: 0 });
      const warehouse = openWarehouse(api, key);
      expect(await warehouse.follow()).toEqual([]);
      await importRows(store, workspaceId, [answerOf(17), answerOf(18)]);
      await warehouse.follow();
      await importRows(store, workspaceId, [answerOf(18, 7), answerOf(17)], {
        acceptsNearDuplicates: true,
      });
      expect(await warehouse.follow()).toEqual([
        'answers 2026-11-18',
        'detections 2026-11-18',
        'scores 2026-11-18',
      ]);
      expect(await warehouse.follow()).toEqual([]);
      const another = await newTenant(store);
      expect(await openWarehouse(api, another.key).follow()).toEqual([]);
    },
  );

  test(
    'more than 1,000 changed days come in pages, each day once',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, key } = await newTenant(store);
      const api = await startApi(store, { quota: 0 });
      await importRows(
        store,
        workspaceId,
        Array.from({ length: 520 }, (_, day) => answerOf(-day)),
      );
      const found: unknown[] = [];
      for await (const page of readChanges(api, key, '')) found.push(...page.changes);
      const distinct = new Set(found.map((change) => JSON.stringify(change)));
      // Answers and detections from 31 October back, and scores from there to 25 May.
      expect(found.length).toBe(2 * 520 + 160);
      expect(distinct.size).toBe(found.length);
    },
  );

  test(
    'a cursor that is none is refused, and so is that of another workspace',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const [one, other] = [await newTenant(store), await newTenant(store)];
      await importRows(store, one.workspaceId, [answerOf(17)]);
      await importRows(store, other.workspaceId, [answerOf(17)]);
      const api = await startApi(store, { quota: 0 });
      const warehouse = openWarehouse(api, other.key);
      await warehouse.follow();
      const refused = async (query: string) =>
        (await call(api, `${changesPath}${query}`, { key: one.key })).json().code;
      expect(await refused('?since=x')).toBe('invalid_parameter');
      expect(await refused(`?since=${'x'.repeat(40)}`)).toBe('invalid_parameter');
      expect(await refused(warehouse.cursor())).toBe('cursor_too_old');
      const place = [0, '', ''];
      const forged = [
        [0, 'x', place, '~'],
        [1, '\0'.repeat(16), place, '~'],
        [0, 'nothing written', [0, '\0', ''], '~'],
        [0, 'nothing written', [0, '', '\0'], '~'],
        [0, 'nothing written', place, '2026-11-2\0'],
        [2 ** 53, 'nothing written', place, '~'],
      ];
      for (const parts of forged) {
        const since = Buffer.from(JSON.stringify(parts)).toString('base64url');
        expect([parts, await refused(`?since=${since}`)]).toEqual([parts, 'invalid_parameter']);
      }
    },
  );
});

eachDatabase('a restored database', (create, dialect) => {
  test('a cursor from before a restore is refused, also after as many writes as the restore lost, and one that the backup knows is accepted', async () => {
    const url = await create();
    let store = await openStore(url);
    onTestFinished(() => store.close());
    const { workspaceId, key } = await newTenant(store);
    const write = (day: number) => importRows(store, workspaceId, [answerOf(day)]);
    const follow = async (cursor: string) => {
      const api = await startApi(store, { quota: 0 });
      return call(api, `${changesPath}${cursor}`, { key });
    };
    await write(10);
    const early = openWarehouse(await startApi(store, { quota: 0 }), key);
    await early.follow();
    const restore = dialect === 'sqlite' ? await backUpFiles() : await backUpRows();
    await write(11);
    const late = openWarehouse(await startApi(store, { quota: 0 }), key);
    await late.follow();
    await restore();
    expect((await follow(late.cursor())).json()).toMatchObject({
      status: 400,
      code: 'cursor_too_old',
    });
    await write(12);
    await write(13);
    expect((await follow(late.cursor())).json()).toMatchObject({
      status: 400,
      code: 'cursor_too_old',
    });
    const followed = body.parse((await follow(early.cursor())).json());
    expect(new Set(followed.changes.map(({ date }) => date))).toEqual(
      new Set(['2026-11-12', '2026-11-13']),
    );

    /** Restores a backup as an operator does: stops the server and copies the files back. */
    async function backUpFiles(): Promise<() => Promise<void>> {
      const files = Object.values(databaseFiles(sqlitePath(url))).filter((file) =>
        existsSync(file),
      );
      await store.close();
      for (const file of files) copyFileSync(file, `${file}.backup`);
      store = await openStore(url);
      return async () => {
        await store.close();
        for (const file of files) copyFileSync(`${file}.backup`, file);
        store = await openStore(url);
      };
    }

    /** Makes the tables as a restored dump leaves them. */
    async function backUpRows(): Promise<() => Promise<void>> {
      const kept = await keepRows(store);
      return async () => {
        for (const [table, list] of kept) {
          await store.writer.deleteFrom(table).execute();
          if (list.length > 0) await store.writer.insertInto(table).values(list).execute();
        }
      };
    }
  });
});

async function keepRows(store: Store) {
  const tables = ['change_days', 'change_numbers', 'revisions', 'runs', 'answers'] as const;
  const kept = tables.map(
    async (table) => [table, await store.reader.selectFrom(table).selectAll().execute()] as const,
  );
  return Promise.all(kept);
}
