import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eachDatabase, eachStore } from './stores.ts';
import type { Open } from './stores.ts';
import { openStore } from '../../src/storage/open/open-store.ts';

eachStore('a store for tests', (open, dialect) => {
  let shared: Awaited<ReturnType<Open>>;
  beforeAll(async () => {
    shared = await open();
  });

  test('a store for tests is a new one each time, empty and migrated', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(first.url).not.toBe(second.url);
    expect(first.store.dialect).toBe(dialect);
    await first.store.writer
      .insertInto('workspaces')
      .values({ id: 'a', slug: 'a', name: 'a', created_at: '2026-11-20T00:00:00.000Z' })
      .execute();
    expect(await first.store.reader.selectFrom('workspaces').selectAll().execute()).toHaveLength(1);
    expect(await second.store.reader.selectFrom('workspaces').selectAll().execute()).toEqual([]);
    expect(await shared.store.reader.selectFrom('workspaces').selectAll().execute()).toEqual([]);
  });
});

eachDatabase('a database for tests', (create, dialect) => {
  test('a database for tests sorts text by a locale if a locale decides', async () => {
    const store = await openStore(await create(), { mayCreate: true });
    const { rows } = await sql<{ is_before: boolean | number }>`
      select cast('a' as text) < cast('B' as text) as is_before
    `.execute(store.reader);
    await store.close();
    // SQLite has no locale: it compares bytes.
    expect(rows).toEqual([{ is_before: dialect === 'postgres' ? true : 0 }]);
  });
});
