import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { least } from '../../test/answers/importing.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey, revokeKey } from '../access/keys.ts';
import type { Source } from '../rows/source.ts';
import type { Store } from '../storage/store.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { importRows } from './import-rows.ts';
import { hits } from './resources/hits.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

async function setUp(store: Store): Promise<string> {
  return (await createWorkspace(store, { slug: 'acme', name: 'A', brand: { name: 'A' }, clock }))
    .id;
}

/** A file of different hits. */
function fileOf(count: number): Source {
  return sourceOf(Array.from({ length: count }, (_, index) => ({ path: `/${index}` })));
}

function sourceOf(rows: readonly object[], base: object = least.hits): Source {
  const lines = rows.map((row) => JSON.stringify({ ...base, ...row }));
  const stream = Readable.from([Buffer.from(lines.join('\n'))]);
  return { name: 'rows.ndjson', stream, bytesTotal: undefined };
}

async function countHits(store: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from hits`.execute(
    store.reader,
  );
  return Number(rows[0]?.count);
}

eachStore('while an import has its transaction open', (open, dialect) => {
  test('an open import lets reads see the state before it, and keys be made and revoked', async () => {
    const { store } = await open({ clock });
    const workspaceId = await setUp(store);
    const key = await createKey(store, { workspaceId, name: 'old', expiresAt: null, clock });
    const done: string[] = [];
    await importRows(store, {
      workspaceId,
      resource: hits,
      source: fileOf(1200),
      clock,
      onWritten: async (rows) => {
        if (rows !== 1000) return;
        expect(await countHits(store)).toBe(0);
        const made = await createKey(store, { workspaceId, name: 'new', expiresAt: null, clock });
        expect(await revokeKey(store, key.record.id, { clock })).toMatchObject({
          wasRevoked: false,
        });
        const admission = await store.admit({
          workspaceId,
          endpoint: 'scores',
          quota: 300,
          windowSeconds: 3600,
        });
        expect(admission.quota).toMatchObject({ isAdmitted: true });
        done.push(made.record.name);
      },
    });
    expect(done).toEqual(['new']);
    expect(await countHits(store)).toBe(1200);
    const states = await store.access
      .selectFrom('keys')
      .select(['name', 'revoked_at'])
      .orderBy('name')
      .execute();
    expect(states).toMatchObject([
      { name: 'new', revoked_at: null },
      { name: 'old', revoked_at: expect.any(String) },
    ]);
  });

  test('an import from a slow pipe holds no lock, so others can write meanwhile', async () => {
    const { store } = await open({ clock });
    const workspaceId = await setUp(store);
    const pipe = new Readable({ read: () => {} });
    const slow = importRows(store, {
      workspaceId,
      resource: hits,
      source: { name: 'standard input', stream: pipe, bytesTotal: undefined },
      clock,
    });
    pipe.push(`${JSON.stringify({ ...least.hits, path: '/slow' })}\n`.repeat(1000));
    const quick = await importRows(store, {
      workspaceId,
      resource: hits,
      source: fileOf(10),
      clock,
    });
    expect(quick.rows.new).toBe(10);
    pipe.push(null);
    expect((await slow).rows.new).toBe(1000);
  });

  test('an open import can be stopped, and leaves nothing behind', { tags: ['once'] }, async () => {
    const { store } = await open({ clock });
    const workspaceId = await setUp(store);
    for (const stage of ['onRead', 'onWritten'] as const) {
      const stop = new AbortController();
      const stopped = importRows(store, {
        workspaceId,
        resource: hits,
        source: fileOf(1200),
        clock,
        signal: stop.signal,
        [stage]: () => stop.abort('SIGINT'),
      });
      await expect(stopped).rejects.toThrow('stopped');
      expect(await countHits(store)).toBe(0);
    }
  });

  test.runIf(dialect === 'sqlite')(
    'a full disk is said, and leaves nothing half-written',
    async () => {
      const { store } = await open({ clock });
      const workspaceId = await setUp(store);
      await importRows(store, { workspaceId, resource: hits, source: fileOf(10), clock });
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.writer);
      await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 20)}`.execute(
        store.writer,
      );
      const full = importRows(store, { workspaceId, resource: hits, source: fileOf(5000), clock });
      await expect(full).rejects.toThrow('database_disk_full');
      expect(await countHits(store)).toBe(10);
      await sql`pragma max_page_count = 1000000`.execute(store.writer);
      const again = await importRows(store, {
        workspaceId,
        resource: hits,
        source: fileOf(5000),
        clock,
      });
      expect(again.rows).toEqual({ new: 4990, changed: 0, unchanged: 10, kept: 0 });
    },
  );
});
