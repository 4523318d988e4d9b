import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { startWire } from '../stores/database-wire.ts';
import { execute, startPostgres } from '../stores/postgres.ts';
import { aDetection, aRun, idOf, writeRows } from '../stores/rows.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { createPostgres } from '../stores/stores.ts';

/** More bytes than the sockets between server and client hold. */
const longRuns = 3000;
const engine = 'x'.repeat(4000);
const readers = 12;

interface ServedWorkspace {
  readonly server: ServerProcess;
  readonly key: string;
}

/**
 * A server on a database with one long answer. `through` is the address that the server is given,
 * `statement` is executed before it starts.
 */
async function serveLongAnswers(
  url: string,
  { through = url, statement = 'select 1' }: { through?: string; statement?: string } = {},
): Promise<ServedWorkspace> {
  const store = await openStore(url, { mayCreate: true });
  const { key, workspaceId } = await newTenant(store, { clock: Date.now });
  const runs = Array.from({ length: longRuns }, (_, index) =>
    aRun({ id: idOf(index), prompt_id: idOf(1), engine }),
  );
  const detections = runs.map((run) => aDetection({ run_id: run.id }));
  await writeRows(store, workspaceId, { runs, detections });
  await store.close();
  await execute(url, statement);
  return { server: await startServer(through, ['--quota', '0']), key };
}

/** A client that begins to read a long answer, and then does not read on until it leaves. */
async function readSlowly({ server, key }: ServedWorkspace): Promise<{ leave(): void }> {
  const headers = { authorization: `Bearer ${key}` };
  const begun = Promise.withResolvers<void>();
  const sent = request(`${server.url}/api/v1/detections?prompt_id=${idOf(1)}`, { headers });
  sent.on('response', (response) => {
    response.pause();
    response.on('error', () => {});
    begun.resolve();
  });
  sent.on('error', () => begun.resolve());
  sent.end();
  await begun.promise;
  return { leave: () => void sent.destroy() };
}

/** Readers of short answers, one request after the other; `stop` gives the statuses they saw. */
function startLoad({ server, key }: ServedWorkspace): { stop(): Promise<Set<number>> } {
  const statuses = new Set<number>();
  const stop = new AbortController();
  const done = Promise.all(Array.from({ length: readers }, readOn));
  return {
    stop: async () => {
      stop.abort();
      await done;
      return statuses;
    },
  };

  async function readOn(_: unknown, index: number): Promise<void> {
    const path = index % 2 === 0 ? '/api/v1/prompts' : '/api/v1/detections';
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': '' };
    while (!stop.signal.aborted) {
      const response = await fetch(server.url + path, { headers });
      statuses.add(response.status);
      await response.text();
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('5');
    }
  }
}

async function status({ server, key }: ServedWorkspace): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/api/v1/prompts`, { headers });
  await response.text();
  return response.status;
}

/** What is expected: readers see nothing but 200 and 503, the server ends with 0 and says no error. */
const outlived: { others: number[]; code: number; hasFailed: boolean } = {
  others: [],
  code: 0,
  hasFailed: false,
};

/** Loses connections again and again; afterwards there must be a 200 each time. */
async function outlive(
  served: ServedWorkspace,
  lose: () => Promise<void>,
): Promise<typeof outlived> {
  const others: number[] = [];
  for (let round = 0; round < cases(3); round++) {
    const reader = await readSlowly(served);
    const load = startLoad(served);
    await setTimeout(200);
    await lose();
    const statuses = await load.stop();
    reader.leave();
    others.push(...[...statuses].filter((each) => each !== 200 && each !== 503));
    await expect.poll(() => status(served), { interval: 100 }).toBe(200);
  }
  const { code, stdout, stderr } = await served.server.stop();
  return { others, code, hasFailed: /Error/.test(stderr) || stdout.includes('"status":500') };
}

describe('a server under load, with a client that reads slowly, outlives', () => {
  test('a server under load survives a restart of the database', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const served = await serveLongAnswers(postgres.url);
    expect(await outlive(served, () => postgres.restart())).toEqual(outlived);
  });

  test(
    'a server under load survives connections that the network drops',
    { tags: ['long'] },
    async () => {
      const url = await createPostgres();
      const wire = await startWire(url);
      const served = await serveLongAnswers(url, { through: wire.url });
      expect(await outlive(served, async () => wire.drop())).toEqual(outlived);
    },
  );
});
