/**
 * Measures the pages of a large workspace (500 prompts, 8 engines, 180 days, 11 subjects, 1,000,000 hits):
 * `node bench/web/large.ts [--write] [--database=URL]`. Filling a database takes minutes; one that a seed
 * has filled is used again with `--database`.
 */
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { newRevision } from '../../packages/server/src/storage/write.ts';
import { newPerson } from '../../packages/server/test/people.ts';
import { load, requestText, startServer } from '../api/processes.ts';
import { median, runBench, table } from '../bench.ts';
import { seed, size } from '../reports/seed.ts';
import { openBrowser } from './browser.ts';

/** The pages below `/w/bench/`; RIVAL and PROMPT are ids of the workspace. */
const pages = [
  '',
  '?weeks=12',
  'prompts',
  'prompts?weeks=12',
  'prompts/PROMPT',
  'answers',
  'competitors',
  'competitors/RIVAL',
  'sources',
  'sources?by=page',
  'sources?locale=en-US',
  'sources/site1.com',
  'gaps',
  'crawlers',
  'crawlers?by=page',
  'crawlers?by=robots',
];
const times = 9;
const api = { connections: 4, pauseMs: 20, seconds: 6 };
const people = { connections: 1, pauseMs: 500, seconds: 6 };
const about = `SQLite, ${size.prompts} prompts, ${size.engines} engines, ${size.subjects} subjects, one run a day for ${size.days} days, ${size.hits.toLocaleString('en-US')} hits. Cold is the first read after a change of the workspace, ${times} times; the very first one of a server takes longer. Bytes are compressed.`;

await runBench({ section: 'large', title: 'Pages of a large workspace', about }, async (bench) => {
  const [existing] = process.argv.flatMap((word) => /^--database=(.+)$/.exec(word)?.[1] ?? []);
  const database = existing ?? `file:${join(bench.folder, 'bench.db')}`;
  const store = await openStore(database, { mayCreate: true });
  const clock = Date.now;
  if (existing === undefined) await seed(store);
  const { id: workspaceId } = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .executeTakeFirstOrThrow();
  const { session } = await newPerson(store, { workspaceId, role: 'admin', clock });
  const { key } = await createKey(store, { workspaceId, name: 'bench', clock });
  const server = await startServer(database, ['--quota', '0']);
  try {
    const browser = openBrowser({ port: server.port, session });
    const paths = await pathsOf(store);
    const change = () =>
      sql`update revisions set revision = ${newRevision()}`.execute(store.writer);
    const rows: string[][] = [];
    for (const path of paths) rows.push(await measurePage(browser, path, change));
    bench.add(table(['page', 'bytes', 'very first, ms', 'cold, ms', '304, ms'], rows));
    const reads = { ...api, requests: [requestText('/api/v1/scores', key)] };
    const visits = { ...people, requests: paths.map(browser.pageText) };
    const alone = await load(server, reads);
    const changing = setInterval(() => void change(), 500);
    const [beside] = await Promise.all([load(server, reads), load(server, visits)]);
    clearInterval(changing);
    bench.add(
      `\`/api/v1/scores\`, 4 connections with 20 ms between two requests: p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms while 2 pages a second are read, each after a change.`,
    );
  } finally {
    await server.stop();
    await store.close();
  }
});

/** The address of every page. */
async function pathsOf({ reader }: Store): Promise<string[]> {
  const ids = (from: 'prompts' | 'subjects') => reader.selectFrom(from).select('id').orderBy('id');
  const { id: prompt } = await ids('prompts').executeTakeFirstOrThrow();
  const { id: rival } = await ids('subjects')
    .where('subject_type', '=', 'competitor')
    .executeTakeFirstOrThrow();
  return pages.map((page) => `/w/bench/${page.replace('PROMPT', prompt).replace('RIVAL', rival)}`);
}

/** The row of one page: its bytes, its first time, and the medians with and without a change before. */
async function measurePage(
  browser: ReturnType<typeof openBrowser>,
  path: string,
  change: () => Promise<unknown>,
): Promise<string[]> {
  const first = await browser.timed(path);
  if (first.status !== 200) throw new Error(`${path} answered ${first.status}`);
  const cold: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await change();
    cold.push((await browser.timed(path)).ms);
  }
  const { etag, body } = await browser.timed(path);
  const unchanged: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const again = await browser.timed(path, { 'if-none-match': etag });
    if (again.status === 304) unchanged.push(again.ms);
  }
  const bytes = brotliCompressSync(Buffer.from(body)).length.toLocaleString('en-US');
  const tagged = unchanged.length === 0 ? 'no tag' : median(unchanged).toFixed(1);
  return [path, bytes, first.ms.toFixed(0), median(cold).toFixed(0), tagged];
}
