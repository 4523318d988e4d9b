/** Measures how fast a server takes log lines, and what that costs its API. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addReceiver, listReceivers } from '../../packages/server/src/access/receivers.ts';
import { measureSpool } from '../../packages/server/src/crawlers/spool/spool.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { table } from '../bench.ts';
import type { Bench, Cells } from '../bench.ts';
import type { LoadResult } from '../load.ts';
import { load, requestText, startServer } from '../processes.ts';
import type { MeasuredProcess } from '../processes.ts';
import { seedMany } from '../seed.ts';
import type { SeededWorkspace, Shape } from '../seed.ts';

const connections = 100;
const linesOfRequest = 100;
/** Different requests, which are sent at random, each time with another number. */
const requestsMax = 500;
/** Where the number of a request is in its lines: a line that comes again is no new hit. */
const numbered = 'NNNNNNNN';
/** Each connection pauses between two requests: 100 of them make 20,000 lines/s. */
const paces = [
  ['20,000 lines/s', 490],
  ['as fast as it is answered', undefined],
] as const;
/** One line in so many is a bot's. */
const botShare = 20;
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const bot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const shape: Shape = {
  engines: 4,
  days: 60,
  prompts: 50,
  promptsWithRuns: 10,
  runs: 200,
  subjects: 5,
  actions: 20,
  hits: 500,
};

export const bench: Bench = {
  title: 'Receiving log lines',
  about: ({ scaled }) =>
    `${connections} connections send requests of ${linesOfRequest} combined lines for ${scaled(30)} seconds; a 202 means that they are synced to the disk. One line in ${botShare} is a bot's. The API is read about 100 times a second, first alone, then beside them. SQLite; server, senders and readers share the cores.`,
  measure: async ({ folder, scaled, add }) => {
    const seconds = scaled(30);
    const { database, workspaces } = await seedMany(`file:${join(folder, 'receive.db')}`, 1, shape);
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('No workspace');
    const token = await makeReceiver(database, workspace);
    const server = await startServer(database);
    const requestsOf = (round: string) =>
      Array.from({ length: requestsMax }, (_, index) => post(token, index, round));
    const spool = join(folder, 'receive.spool');
    // The first lines start the thread that reads them.
    await load(server, { requests: requestsOf('first'), numbered, connections, seconds: 3 });
    const alone = await readApi(server, workspace, seconds);
    const rows: Cells[] = [['nothing', 0, '', '', '', '', '', ...costs(server, alone)]];
    for (const [place, [name, pauseMs]] of paces.entries()) {
      const requests = requestsOf(String(place));
      const hitsBefore = await countHits(database);
      const [sent, beside] = await Promise.all([
        load(server, {
          requests,
          numbered,
          connections,
          seconds,
          ...(pauseMs !== undefined && { pauseMs }),
        }),
        readApi(server, workspace, seconds),
      ]);
      const cells = costs(server, beside);
      const megabytes = (await measureSpool(spool)) / 1e6;
      const startedMs = performance.now();
      while ((await measureSpool(spool)) > 0) await sleep(100);
      const emptyAfter = (performance.now() - startedMs) / 1000;
      const lines = sent.perSecond * linesOfRequest;
      const hits = (await countHits(database)) - hitsBefore;
      rows.push([name, lines, hits, sent.p50, sent.p99, megabytes, emptyAfter, ...cells]);
    }
    await server.stop();
    const head =
      'sent,lines/s,new hits,p50 ms,p99 ms,MB waiting at the end,s until read,API p50 ms,API p99 ms,memory MB,at its highest';
    add(table(head.split(','), rows));
  },
};

function costs(server: MeasuredProcess, { p50, p99 }: Pick<LoadResult, 'p50' | 'p99'>): Cells {
  const { now, peak } = server.memory();
  return [p50, p99, Math.round(now), Math.round(peak)];
}

async function makeReceiver(database: string, { id }: SeededWorkspace): Promise<string> {
  const store = await openStore(database);
  const made = { workspaceId: id, host: 'other', site: 'www.acme.com', clock: Date.now } as const;
  const { token } = await addReceiver(store, made);
  await store.close();
  return token;
}

async function countHits(database: string): Promise<number> {
  const store = await openStore(database);
  const receivers = await listReceivers(store.access);
  await store.close();
  return receivers.reduce((sum, { hits }) => sum + hits, 0);
}

function readApi(server: MeasuredProcess, { key }: SeededWorkspace, seconds: number) {
  const requests = ['scores', 'prompts', 'actions'].map((name) =>
    requestText(`/api/v1/${name}`, key),
  );
  return load(server, { requests, connections: 10, seconds, pauseMs: 100 });
}

function post(token: string, place: number, round: string): string {
  const lines = Array.from({ length: linesOfRequest }, (_, index) => {
    const number = place * linesOfRequest + index;
    const at = new Date(Date.now() - number * 50).toUTCString();
    const [, day, month, year, time] = /(\d+) (\w+) (\d+) (\S+)/.exec(at) ?? [];
    const agent = number % botShare === 0 ? bot : browser;
    return `198.51.${number % 250}.${number % 199} - - [${day}/${month}/${year}:${time} +0000] "GET /page-${number % 5000}?visit=${round}-${numbered} HTTP/1.1" 200 512 "-" "${agent}"`;
  });
  const body = lines.join('\n');
  return `POST /ingest/${token} HTTP/1.1\r\nHost: bench\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
