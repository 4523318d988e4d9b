/** Measures the pages and what they cost the API: `node bench/web/run.ts [--write]`. */
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { fillDemo } from '../../packages/server/src/demo/fill.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { newPerson } from '../../packages/server/test/people.ts';
import { load, requestText, startServer } from '../api/processes.ts';
import { runBench, table } from '../bench.ts';

const paths = [
  '/w/demo/',
  '/w/demo/settings/keys',
  '/w/demo/settings/members',
  '/w/demo/settings/history',
  '/me',
];
const seconds = 4;
const about =
  "The demo's workspace on SQLite. Bytes are compressed; times are the server's, one request after the other.";

await runBench({ section: 'web', title: 'Pages', about }, async ({ folder, add }) => {
  const database = `file:${join(folder, 'bench.db')}`;
  const store = await openStore(database, { mayCreate: true });
  const clock = Date.now;
  const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
  const { id: workspaceId } = workspace;
  const { session } = await newPerson(store, { workspaceId, role: 'admin', clock });
  const { key } = await createKey(store, { workspaceId, name: 'bench', clock });
  await store.close();
  const server = await startServer(database, ['--quota', '0']);
  try {
    const cookie = `__Host-overheard-${server.port}=${session}`;
    const pageText = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nCookie: ${cookie}\r\n\r\n`;
    const rows: string[][] = [];
    for (const path of paths) {
      const page = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie } });
      if (page.status !== 200) throw new Error(`${path} answered ${page.status}`);
      const bytes = brotliCompressSync(Buffer.from(await page.text())).length;
      const one = await load(server, { requests: [pageText(path)], connections: 1, seconds });
      rows.push([path, bytes.toLocaleString('en-US'), ms(one.p50), ms(one.p99)]);
    }
    const api = { requests: [requestText('/api/v1/scores', key)], connections: 4, seconds };
    const alone = await load(server, api);
    const [beside] = await Promise.all([
      load(server, api),
      load(server, { requests: paths.map(pageText), connections: 1, seconds }),
    ]);
    add(table(['page', 'bytes', 'median ms', 'p99 ms'], rows));
    add(
      `\`/api/v1/scores\` over 4 connections: p99 ${ms(alone.p99)} ms alone, ${ms(beside.p99)} ms while one person loads a page after the other without a pause.`,
    );
  } finally {
    await server.stop();
  }
});

function ms(milliseconds: number): string {
  return milliseconds.toFixed(1);
}
