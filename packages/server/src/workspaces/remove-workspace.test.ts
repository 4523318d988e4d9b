import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey, listKeys } from '../access/keys.ts';
import { openStore } from '../storage/open/open-store.ts';
import { allTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { countWorkspace, removeWorkspace } from './remove-workspace.ts';
import { createWorkspace, listWorkspaces } from './workspaces.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

eachStore('removing a workspace', (open, dialect) => {
  test(
    'removing a workspace removes all its rows from every table, and none of another',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const [gone, kept] = [await fill(store, 'gone'), await fill(store, 'kept')];
      const before = await rowsByTable(store, kept);
      expect(Object.values(before)).not.toContain(0);
      expect(await countWorkspace(store, gone)).toEqual({
        keys: 1,
        subjects: 1,
        prompts: 1,
        runs: 1,
        detections: 1,
        scores: 1,
        actions: 1,
        hits: 1,
        reports: 1,
      });
      // The hash of its key is its id.
      expect(await store.findKey(gone)).toBeDefined();
      await removeWorkspace(store, gone);
      expect(new Set(Object.values(await rowsByTable(store, gone)))).toEqual(new Set([0]));
      expect(await rowsByTable(store, kept)).toEqual(before);
      expect((await listWorkspaces(store.reader)).map(({ slug }) => slug)).toEqual(['kept']);
      expect(await store.findKey(gone)).toBeUndefined();
    },
  );

  test('removing a workspace waits for an open write of the workspace', async () => {
    const { store } = await open();
    const id = await fill(store, 'gone');
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const write = writeWorkspace(store, id, async () => {
      started.resolve();
      await mayEnd.promise;
      order.push('written');
      return { hasChanged: true };
    });
    await started.promise;
    const removal = removeWorkspace(store, id).then(() => order.push('removed'));
    setTimeout(mayEnd.resolve, 100);
    await Promise.all([write, removal]);
    expect(order).toEqual(['written', 'removed']);
  });

  test('removing a workspace removes a key that is made while it waits, and no later one can be made', async () => {
    const { store, url } = await open();
    const other = await openStore(url);
    onTestFinished(() => other.close());
    const workspaceId = await fill(store, 'gone');
    const make = () => createKey(other, { workspaceId, name: 'late', clock });
    const removal = await store.writer.transaction().execute(async (transaction) => {
      // Holds the one writer on SQLite. On PostgreSQL the removal waits for this row after it removed the keys.
      await sql`update hits set path = '/held' where workspace_id = ${workspaceId}`.execute(
        transaction,
      );
      const removed = removeWorkspace(store, workspaceId);
      await expect.poll(() => isWaiting(other, dialect)).toBe(true);
      await make();
      expect(await listKeys(other, { workspaceId })).toContainEqual(
        expect.objectContaining({ name: 'late' }),
      );
      return { removed };
    });
    await removal.removed;
    expect(await listKeys(other, { workspaceId })).toEqual([]);
    await expect(make()).rejects.toThrow('workspace_removed');
    expect(await listKeys(other, { workspaceId })).toEqual([]);
  });
});

/** Whether a removal has removed the keys and waits to remove the data. */
async function isWaiting(store: Store, dialect: Store['dialect']): Promise<boolean> {
  if (dialect === 'sqlite') return (await listKeys(store)).length === 0;
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from%'
  `.execute(store.reader);
  return rows.length > 0;
}

/** A workspace with one row in each table. */
async function fill(store: Store, slug: string): Promise<string> {
  const { id } = await createWorkspace(store, {
    slug,
    name: slug,
    brand: { name: 'Acme', domains: ['acme.com'], paths: ['github.com/acme'] },
    clock,
  });
  await store.admit({ workspaceId: id, endpoint: 'scores', quota: 300, windowSeconds: 3600 });
  await fillOthers(store.writer, id);
  await fillOthers(store.access, id);
  return id;
}

/** Writes a row into each table where the workspace has none, so that a new table is tested, too. */
async function fillOthers<Tables>(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  const counts = await count(db, workspaceId);
  for (const { name, columns } of await db.introspection.getTables()) {
    if (counts[name] !== 0) continue;
    // Two workspaces with the same content have rows with the same ids. Keys are unique among all.
    const text = Object.hasOwn(allTables.access, name) ? workspaceId : 'x';
    const needed = columns.filter((column) => !column.isNullable || column.name === 'workspace_id');
    const values = needed.map(({ name: column, dataType }) => {
      if (column === 'workspace_id') return workspaceId;
      if (/bool/.test(dataType)) return sql.lit(false);
      return /int|float|double/.test(dataType) ? 0 : text;
    });
    await sql`
      insert into ${sql.table(name)} (${sql.join(needed.map((column) => sql.ref(column.name)))})
      values (${sql.join(values)})`.execute(db);
  }
}

/** Rows of a workspace in every table that the database has, found in the database itself. */
async function rowsByTable(store: Store, workspaceId: string): Promise<Record<string, number>> {
  return {
    ...(await count(store.writer, workspaceId)),
    ...(await count(store.access, workspaceId)),
  };
}

async function count<Tables>(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, columns } of await db.introspection.getTables()) {
    const column = name === 'workspaces' ? 'id' : 'workspace_id';
    if (!columns.some((known) => known.name === column)) continue;
    const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(name)} where ${sql.ref(column)} = ${workspaceId}
      `.execute(db);
    counts[name] = rows[0]?.count ?? -1;
  }
  return counts;
}
