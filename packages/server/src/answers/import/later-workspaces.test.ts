import { CompiledQuery, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { call, startApi } from '../../../test/servers/api.ts';
import { recordStatements } from '../../../test/stores/statements.ts';
import { createPostgres, eachStore } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';

const answers = randomAnswers(400, { beforeMs: now }).map(({ row }) => row);
const large = ['runs', 'answers', 'detections'];
const tables = [...large, 'prompts', 'run_counts', 'source_counts', 'scores'];

test(
  'on PostgreSQL a later workspace reads at most 1.3 times the pages of the first',
  { tags: ['long'] },
  async () => {
    const store = await openYoungPostgres();
    const api = await startApi(store, { clock: () => now, quota: 0 });
    const imports: number[] = [];
    const reads: number[] = [];
    for (let number = 1; number <= 4; number += 1) {
      const workspaceId = await aWorkspace(store);
      const { key } = await createKey(store, { workspaceId, name: 'test', clock: () => now });
      const before = await countPages(store);
      await importRows(store, workspaceId, answers);
      const imported = await countPages(store);
      expect((await call(api, '/api/v1/detections', { key })).statusCode).toBe(200);
      imports.push(imported - before);
      reads.push((await countPages(store)) - imported);
    }
    const [firstImport = 0, ...laterImports] = imports;
    const [firstRead = 0, ...laterReads] = reads;
    expect(firstRead).toBeGreaterThan(0);
    expect(Math.max(...laterImports) / firstImport, String(imports)).toBeLessThanOrEqual(1.3);
    // A read is little else than steps down the indexes, which have one level more by then.
    expect(Math.max(...laterReads) / firstRead, String(reads)).toBeLessThanOrEqual(1.5);
  },
);

test(
  'on PostgreSQL a large workspace among small ones reads its latest answers by their time',
  { tags: ['long'] },
  async () => {
    const store = await openYoungPostgres();
    const api = await startApi(store, { clock: () => now, quota: 0 });
    const workspaceId = await aWorkspace(store);
    const { key } = await createKey(store, { workspaceId, name: 'test', clock: () => now });
    await importRows(store, workspaceId, answers);
    const pagesOf = async (path: string): Promise<number> => {
      const before = await countPages(store);
      expect((await call(api, path, { key })).statusCode).toBe(200);
      return (await countPages(store)) - before;
    };
    const paths = ['/api/v1/detections', '/api/v1/answers?cited=true'];
    for (const path of paths) await pagesOf(path);
    await copyRuns(store, { times: 100, runsMax: 10, workspace: sql`'small-' || number` });
    await copyRuns(store, { times: 20, runsMax: answers.length, workspace: sql`workspace_id` });
    await sql`update revisions set revision = 'other'`.execute(store.writer);
    await sql`analyze`.execute(store.writer);
    for (const path of paths) expect(await pagesOf(path), path).toBeLessThan(3000);
  },
);

eachStore('a later workspace', (open, dialect) => {
  // SQLite has no statistics of the rows: it plans by the indexes alone.
  test.runIf(dialect === 'sqlite')(
    'on SQLite each statement about runs finds its rows by more than the workspace',
    async () => {
      const { store } = await open({ clock: () => now });
      const workspaceId = await aWorkspace(store);
      const { sent } = recordStatements();
      await importRows(store, workspaceId, answers);
      const steps: string[] = [];
      for (const { text, values } of sent().slice()) {
        const isLookUp = /^(select|with|update|delete)/.test(text) && text.includes('workspace_id');
        if (!isLookUp || !large.some((table) => text.includes(table))) continue;
        const explain = `explain query plan ${text.replaceAll(/\$\d+/g, '?')}`;
        const { rows } = await store.reader.executeQuery<{ detail: string }>(
          CompiledQuery.raw(explain, [...values]),
        );
        steps.push(...rows.map(({ detail }) => detail));
      }
      const ofLarge = steps.filter((step) =>
        /^(SEARCH|SCAN) (runs|answers|detections|ours)/.test(step),
      );
      expect(ofLarge.length).toBeGreaterThan(8);
      for (const step of ofLarge) expect(step).toMatch(/^SEARCH .*\(workspace_id=\? AND /);
    },
  );
});

/** A database whose rows nothing counts but our own writes. */
async function openYoungPostgres(): Promise<Store> {
  // With one connection each for reads, admissions and writes, `countPages` hears of all.
  const store = await openStore(await createPostgres(), { clock: () => now, connectionsMax: 3 });
  onTestFinished(() => store.close());
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(store.writer);
  }
  return store;
}

/** Copies the first runs, with their answers and detections, a number of times into a workspace each. */
async function copyRuns(
  { writer }: Store,
  { times, runsMax, workspace }: { times: number; runsMax: number; workspace: RawBuilder<unknown> },
): Promise<void> {
  for (const name of ['detections', 'answers', 'runs']) {
    const [table, run] = [sql.table(name), sql.ref(name === 'runs' ? 'id' : 'run_id')];
    const id = name === 'answers' ? sql`null` : sql`id || '-' || number`;
    await sql`insert into ${table} select (jsonb_populate_record(${table}, jsonb_build_object(
        'workspace_id', ${workspace}, 'id', ${id}, 'run_id', ${run} || '-' || number))).*
      from ${table}, generate_series(1, ${times}::int) as number
      where ${run} in (select id from runs where length(id) = 36 order by id limit ${runsMax})
    `.execute(writer);
  }
}

/** The pages of the tables and their indexes that PostgreSQL has read so far. */
async function countPages({ reader, writer }: Store): Promise<number> {
  // A session reports what it has read once a second, unless it is told to.
  for (const db of [reader, writer]) await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ pages: number }>`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint as pages
    from pg_statio_user_tables where relname in (${sql.join(tables)})`.execute(writer);
  return rows[0]?.pages ?? 0;
}
