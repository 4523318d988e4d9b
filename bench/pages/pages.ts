/** Measures the pages of a large workspace, and what they and long work cost the API. */
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { newRevision } from '../../packages/server/src/storage/write.ts';
import { newPerson } from '../../packages/server/test/browsers/people.ts';
import { writeAnswers } from '../answers/answers.ts';
import { median, table, withDatabases } from '../bench.ts';
import type { Bench, Cells } from '../bench.ts';
import { load, requestText, startServer } from '../processes.ts';
import { largeInWords, largeShape } from '../reports.ts';
import { seed } from '../seed.ts';
import { openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

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
  'settings/subjects',
  'settings/data',
];
const times = 9;

export const bench: Bench = {
  title: 'Pages',
  about: (place) =>
    `${largeInWords(place)} Cold is the first read after a change of the workspace, ${times} times; the very first one of a server takes longer. Bytes are compressed.`,
  measure: ({ folder, scaled, add }) =>
    withDatabases('SQLite', folder, async (create) => {
      const database = await create('pages');
      const store = await openStore(database, { mayCreate: true });
      const { id: workspaceId, key, promptId } = await seed(store, 'bench', largeShape({ scaled }));
      const clock = Date.now;
      const { session } = await newPerson(store, { workspaceId, role: 'admin', clock });
      const change = () =>
        sql`update revisions set revision = ${newRevision()}`.execute(store.writer);
      const rival = await rivalOf(store);
      const paths = pages.map(
        (page) => `/w/bench/${page.replace('PROMPT', promptId).replace('RIVAL', rival)}`,
      );
      const server = await startServer(database);
      const browser = openBrowser({ port: server.port, session });
      const rows: Cells[] = [];
      for (const path of paths) rows.push(await measurePage(browser, path, change));
      add(table(['page', 'bytes', 'very first, ms', 'cold, ms', '304, ms'], rows));

      const visits = { requests: paths.map(browser.pageText), connections: 1, pauseMs: 500 };
      const api = { requests: [requestText('/api/v1/scores', key)], connections: 4, pauseMs: 20 };
      const row = async (what: string, isVisited: boolean): Promise<Cells> => {
        const seconds = scaled(6);
        const others = isVisited ? [load(server, { ...visits, seconds })] : [];
        const [{ p50, p99, max }] = await Promise.all([
          load(server, { ...api, seconds }),
          ...others,
        ]);
        return [what, p50.toFixed(1), p99.toFixed(1), max.toFixed(1)];
      };
      const beside = [await row('does nothing', false), await row('serves the pages', true)];
      const changing = setInterval(() => void change(), 500);
      beside.push(await row('serves them, each after a change', true));
      clearInterval(changing);
      const file = join(folder, 'answers.ndjson');
      writeAnswers(file, scaled(30_000));
      await browser.upload('/w/bench/settings/data', await openAsBlob(file));
      const importing = await row('serves them and imports', true);
      beside.push(inPart(importing, await browser.waitForJob('/w/bench/settings/data')));
      await browser.track('/w/bench/settings/subjects', 'Question');
      const detecting = await row('serves them and redetects', true);
      beside.push(inPart(detecting, await browser.waitForJob('/w/bench/settings/subjects')));
      await server.stop();
      await store.close();
      add(
        '`/api/v1/scores`, 4 connections with 20 ms between two requests, beside 20 people who read a page every 10 seconds (2 pages a second):',
      );
      add(table(['the server also', 'median ms', 'p99 ms', 'max ms'], beside));
    }),
};

/** Adds to what a server did how much of the time it did it. */
function inPart([what, ...figures]: Cells, part: string): Cells {
  return [`${what ?? ''} (${part})`, ...figures];
}

async function rivalOf({ reader }: Store): Promise<string> {
  const isRival = ['subject_type', '=', 'competitor'] as const;
  const query = reader
    .selectFrom('subjects')
    .select('id')
    .where(...isRival);
  return (await query.orderBy('id').executeTakeFirstOrThrow()).id;
}

/** The row of one page: its bytes, its first time, and the medians with and without a change before. */
async function measurePage(
  browser: Browser,
  path: string,
  change: () => Promise<unknown>,
): Promise<Cells> {
  const first = await browser.timedRead(path);
  const cold: number[] = [];
  for (let time = 0; time < times; time++) {
    await change();
    cold.push((await browser.timedRead(path)).ms);
  }
  const { etag, body } = await browser.timedRead(path);
  const unchanged: number[] = [];
  for (let time = 0; time < times; time++) {
    const again = await browser.timedRead(path, { 'if-none-match': etag });
    if (again.status === 304) unchanged.push(again.ms);
  }
  const tagged = unchanged.length === 0 ? 'no tag' : median(unchanged).toFixed(1);
  const bytes = brotliCompressSync(Buffer.from(body)).length;
  return [path, bytes, first.ms.toFixed(0), median(cold).toFixed(0), tagged];
}
