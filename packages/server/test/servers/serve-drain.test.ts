import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { aDetection, aRun, idOf, writeRows } from '../stores/rows.ts';
import { startServer } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

const clients = 10;
/** More bytes than the sockets between server and client hold: 12 MB. */
const longRuns = 3000;
const engine = 'x'.repeat(4000);

interface SeenResponse {
  readonly status: number;
  readonly connection: string | undefined;
}

/** One answer, read from `begin` on to its end; rejects if it is reset or cut off. */
function get(
  agent: Agent,
  url: string,
  key: string,
  begin: Promise<void> = Promise.resolve(),
): Promise<SeenResponse & { readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(url, { agent, headers }, (response) => {
      begin
        .then(() => read(response))
        .then(
          (body) =>
            resolve({
              status: response.statusCode ?? 0,
              connection: response.headers.connection,
              body,
            }),
          reject,
        );
    })
      .on('error', reject)
      .end();
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Asks again and again on one connection until it is told that the connection ends. */
function askUntilTold(url: string, key: string): { seen: SeenResponse[]; told: Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const seen: SeenResponse[] = [];
  return { seen, told: ask() };

  async function ask(): Promise<void> {
    while (seen.at(-1)?.connection !== 'close') {
      const { status, connection } = await get(agent, url, key);
      seen.push({ status, connection });
      await setTimeout(10);
    }
  }
}

eachDatabase('SIGTERM', (create) => {
  test(
    'SIGTERM drops no accepted request: readiness fails, connections close, open requests end, exit 0',
    { tags: ['once'] },
    async () => {
      const database = await create();
      const store = await openStore(database, { mayCreate: true });
      const { key, workspaceId } = await newTenant(store, { clock: Date.now });
      const runs = Array.from({ length: longRuns }, (_, index) =>
        aRun({ id: idOf(index), prompt_id: idOf(1), engine }),
      );
      const detections = runs.map(({ id }) => aDetection({ run_id: id }));
      await writeRows(store, workspaceId, { runs, detections });
      await store.close();
      const server = await startServer(database, [
        '--quota',
        '0',
        '--log-level',
        'error',
        '--drain-seconds',
        '3',
      ]);

      const agent = new Agent({ keepAlive: false });
      const signalled = Promise.withResolvers<void>();
      const long = get(
        agent,
        `${server.url}/api/v1/detections?prompt_id=${idOf(1)}`,
        key,
        signalled.promise,
      );
      const readiness = askUntilTold(`${server.url}/readyz`, key);
      const asking = Array.from({ length: clients }, () =>
        askUntilTold(`${server.url}/api/v1/prompts`, key),
      );
      const all = [readiness, ...asking];
      await expect.poll(() => all.every(({ seen }) => seen.length > 1)).toBe(true);
      const { body: metrics } = await get(agent, `${server.url}/metrics`, key);
      expect(metrics).toContain('overheard_open_streams 1');
      const stopped = server.stop('SIGTERM');

      signalled.resolve();
      await Promise.all(all.map(({ told }) => told));
      expect(JSON.parse((await long).body).detections).toHaveLength(longRuns);
      const { code, stderr } = await stopped;
      expect(code, stderr).toBe(0);
      for (const { seen } of asking) {
        expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
      }
      // It says so with the first answer after the signal, while others are still served.
      expect(readiness.seen.map(({ status }) => status === 503)).toEqual(
        readiness.seen.map(({ connection }) => connection === 'close'),
      );
    },
  );
});

eachDatabase({ title: 'a server that drains', onBoth: false }, (create) => {
  test('SIGTERM drops no open call of a tool', { tags: ['long'] }, async () => {
    const database = await create();
    const store = await openStore(database, { mayCreate: true });
    const { key } = await newTenant(store, { clock: Date.now });
    await store.close();
    const server = await startServer(database, ['--quota', '0', '--drain-seconds', '3']);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_prompts', arguments: {} },
    });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const callUntilTold = async (seen: string[]) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      for (let isTold = false; !isTold;) {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const options = { agent, port: server.port, path: '/mcp', method: 'POST', headers };
          request(options, resolve).on('error', reject).end(body);
        });
        isTold = response.headers.connection === 'close';
        seen.push(`${response.statusCode} ${(await read(response)).includes('structuredContent')}`);
      }
    };
    const calls = Array.from({ length: 20 }, (): string[] => []);
    const told = Promise.all(calls.map(callUntilTold));
    await expect.poll(() => calls.every((seen) => seen.length > 1)).toBe(true);
    const { code, stderr } = await server.stop('SIGTERM');
    await told;
    expect(code, stderr).toBe(0);
    expect(new Set(calls.flat())).toEqual(new Set(['200 true']));
  });
});
