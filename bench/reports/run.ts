/**
 * Measures the reports on SQLite over 180 days of 500 prompts, 8 engines, 11 subjects, and 1,000,000
 * hits, beside the same sums over detections and hits: `node bench/reports/run.ts [--write]`.
 */
import { join } from 'node:path';
import { sql } from 'kysely';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { buildApp } from '../../packages/server/src/api/app.ts';
import { createLog } from '../../packages/server/src/cli/terminal/log.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runBench, table } from '../bench.ts';
import { clock, seed, size } from './seed.ts';

const about = `SQLite, ${size.prompts} prompts, ${size.engines} engines, ${size.subjects} subjects, one run a day for ${size.days} days, ${size.hits.toLocaleString('en')} hits of 174 days. Responses of the API without a network: the first one after a change, the same again, and the same with the tag of the first (304).`;

const { stdin, stdout, stderr } = process;
const { signal } = new AbortController();
const effects = { clock, fetch: globalThis.fetch, signal, asTyped: (command: string) => command };
const io = { stdin, stdout, stderr, isTerminal: false, program: 'bench', ...effects };

await runBench({ section: 'reports', title: 'Reports', about }, async ({ folder, add }) => {
  const store = await openStore(`file:${join(folder, 'bench.db')}`, { mayCreate: true });
  const workspaceId = await seed(store);
  process.stderr.write('seeded\n');
  const { key } = await createKey(store, { workspaceId, name: 'bench', clock });
  const app = await buildApp({
    store,
    log: createLog(io, 'silent'),
    clock,
    publicUrl: () => 'https://bench.example',
    quota: 0,
    cacheBytes: 64 * 1024 * 1024,
    trustProxy: [],
    isDraining: () => false,
  });
  const rows: string[][] = [];
  for (const [name, path] of [
    ['shares, 28 days and the 28 before, in total', 'shares'],
    ['shares by engine', 'shares?by=engine'],
    ['shares by prompt', 'shares?by=prompt'],
    ['shares by day', 'shares?by=day'],
    ['sources by site, 28 days', 'sources'],
    ['sources by page, 28 days', 'sources?by=page'],
    ['crawls by bot, 1,000,000 hits', 'crawls'],
    ['crawls by page', 'crawls?by=page'],
    ['crawls by page, 28 days', 'crawls?by=page&from=2026-10-24&to=2026-11-20'],
    ['crawls by day', 'crawls?by=day'],
  ] as const) {
    rows.push([name, ...(await responses(app, { path: `/api/v1/${path}`, key }))]);
  }
  const shares = sql`select d.subject_id, r.prompt_id, r.cohort, count(*), sum(d.cited), sum(d.position is not null), sum(d.url is not null)
    from runs r join detections d on d.workspace_id = r.workspace_id and d.run_id = r.id
    where r.workspace_id = ${workspaceId} and r.run_at >= '2026-09-26T' and r.outcome = 'answered' and r.branded = 0
    group by d.subject_id, r.prompt_id, r.cohort`;
  const pages = sql`select host, path, verification, count(*), min(hit_at), max(hit_at) from hits
    where workspace_id = ${workspaceId} group by host, path, verification`;
  for (const [name, query] of [
    ['the sums of shares over detections', shares],
    ['the counts of crawls by page over hits', pages],
  ] as const) {
    rows.push([name, (await timed(() => query.execute(store.reader))).words, '', '']);
  }
  add(table(['report', 'first read', 'repeated', '304'], rows));
  await app.close();
  await store.close();
});

/** How long a first response takes, a repeated one, and one without a body. */
async function responses(
  app: Awaited<ReturnType<typeof buildApp>>,
  { path, key }: { path: string; key: string },
): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const read = (more: Readonly<Record<string, string>> = {}) =>
    timed(() => app.inject({ url: path, headers: { ...headers, ...more } }));
  const first = await read();
  if (first.result.statusCode !== 200) throw new Error(first.result.body);
  const repeated = await read();
  const unchanged = await read({ 'if-none-match': String(first.result.headers['etag']) });
  if (unchanged.result.statusCode !== 304) throw new Error(`${path} has no tag that holds.`);
  return [first.words, repeated.words, unchanged.words];
}

async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly words: string }> {
  const begin = performance.now();
  const result = await work();
  const ms = performance.now() - begin;
  return { result, words: `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` };
}
