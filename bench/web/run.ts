/** Measures the pages, and what they and long work cost the API: `node bench/web/run.ts [--write]`. */
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { fillDemo } from '../../packages/server/src/demo/fill.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { newPerson } from '../../packages/server/test/people.ts';
import { generateAnswers } from '../answers/generate-answers.ts';
import { load, requestText, startServer } from '../api/processes.ts';
import { runBench, table } from '../bench.ts';
import { openBrowser } from './browser.ts';

const paths = [
  '/w/demo/',
  '/w/demo/settings/subjects',
  '/w/demo/settings/subjects/new',
  '/w/demo/settings/data',
  '/w/demo/settings/keys',
  '/w/demo/settings/members',
  '/w/demo/settings/history',
  '/me',
];
const answers = 30_000;
const seconds = 6;
/** 4 connections that pause: under 200 requests a second, as clients of one workspace never come to. */
const api = { connections: 4, pauseMs: 20, seconds };
/** 20 people who read a page every 10 seconds are 2 pages a second. */
const people = { connections: 1, pauseMs: 500, seconds };
const about = `The demo's workspace on SQLite, with ${answers.toLocaleString('en-US')} answers more. Bytes are compressed; times are the server's, one request after the other.`;

await runBench({ section: 'web', title: 'Pages', about }, async ({ folder, add }) => {
  const database = `file:${join(folder, 'bench.db')}`;
  const store = await openStore(database, { mayCreate: true });
  const clock = Date.now;
  const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
  const { id: workspaceId } = workspace;
  const { session } = await newPerson(store, { workspaceId, role: 'admin', clock });
  const { key } = await createKey(store, { workspaceId, name: 'bench', clock });
  await store.close();
  const file = join(folder, 'answers.ndjson');
  generateAnswers(file, answers);
  const server = await startServer(database, ['--quota', '0']);
  try {
    const browser = openBrowser({ port: server.port, session });
    const reads = { ...api, requests: [requestText('/api/v1/scores', key)] };
    const pages = { ...people, requests: paths.map(browser.pageText) };
    const alone = await load(server, reads);
    const [withPages] = await Promise.all([load(server, reads), load(server, pages)]);

    await browser.upload('/w/demo/settings/data', await openAsBlob(file));
    const [withImport] = await Promise.all([load(server, reads), load(server, pages)]);
    const importing = await browser.waitForJob('/w/demo/settings/data');
    await browser.track('/w/demo/settings/subjects', 'Question');
    const [withRedetection] = await Promise.all([load(server, reads), load(server, pages)]);
    const judging = await browser.waitForJob('/w/demo/settings/subjects');

    const rows: string[][] = [];
    for (const path of paths) {
      const bytes = brotliCompressSync(Buffer.from(await browser.read(path))).length;
      const one = await load(server, {
        requests: [browser.pageText(path)],
        connections: 1,
        seconds: 3,
      });
      rows.push([path, bytes.toLocaleString('en-US'), ms(one.p50), ms(one.p99)]);
    }
    add(table(['page', 'bytes', 'median ms', 'p99 ms'], rows));
    add(
      '`/api/v1/scores`, 4 connections with 20 ms between two requests, beside 20 people who read a page every 10 seconds (2 pages a second):',
    );
    const row = (what: string, { p50, p99, max }: typeof alone) => [
      what,
      ms(p50),
      ms(p99),
      ms(max),
    ];
    add(
      table(
        ['the server also', 'median ms', 'p99 ms', 'max ms'],
        [
          row('does nothing', alone),
          row('serves the pages', withPages),
          row(`serves them and imports (${importing})`, withImport),
          row(`serves them and judges again (${judging})`, withRedetection),
        ],
      ),
    );
  } finally {
    await server.stop();
  }
});

function ms(milliseconds: number): string {
  return milliseconds.toFixed(1);
}
