import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addReceiver } from '../../src/access/receivers.ts';
import { listSpool } from '../../src/crawlers/spool/spool.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { listWorkspaces } from '../../src/workspaces/workspaces.ts';
import { combined } from '../logs/drain-requests.ts';
import { newTenant } from './api.ts';
import { startWire } from '../stores/database-wire.ts';
import { startPostgres } from '../stores/postgres.ts';
import { startServer } from './server-process.ts';
import { createPostgres, eachDatabase } from '../stores/stores.ts';

interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
}

async function ask(url: string, key: string): Promise<Outcome> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: /"code":"(\w+)"/.exec(await response.text())?.[1],
  };
}

describe('while PostgreSQL is away', () => {
  test('responses are 503 with Retry-After while PostgreSQL is away, and log lines that come then become hits after its return', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const folder = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await openStore(postgres.url, { mayCreate: true });
    const { key, workspaceId } = await newTenant(store, { clock: Date.now });
    const { token } = await addReceiver(store, { workspaceId, host: 'other', clock: Date.now });
    await store.close();
    const server = await startServer(postgres.url, ['--quota', '0', '--spool', folder]);
    const path = `${server.url}/api/v1/prompts`;
    const send = async (hit: string) => {
      const url = `${server.url}/ingest/${token}`;
      return (await fetch(url, { method: 'POST', body: combined(hit) })).status;
    };
    expect((await ask(path, key)).status).toBe(200);
    expect(await send('/before')).toBe(202);
    await expect.poll(async () => (await listSpool(folder)).length).toBe(0);
    await postgres.halt();
    const meanwhile = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(index % 5 === 0 ? `${server.url}/readyz` : path, key),
      ),
    );
    for (const outcome of meanwhile) {
      expect(outcome).toEqual({ status: 503, code: 'unavailable', retryAfter: '5' });
    }
    expect((await ask(`${server.url}/healthz`, key)).status).toBe(200);
    expect(await Promise.all(['/a', '/b'].map(send))).toEqual([202, 202]);
    await postgres.start();
    await expect.poll(async () => (await ask(path, key)).status, { interval: 100 }).toBe(200);
    await expect.poll(async () => (await listSpool(folder)).length).toBe(0);
    const { code, stdout } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).not.toContain('"status":500');
    const after = await openStore(postgres.url);
    onTestFinished(() => after.close());
    const hits = await after.reader.selectFrom('hits').select('path').orderBy('path').execute();
    expect(hits.map(({ path: of }) => of)).toEqual(['/a', '/b', '/before']);
  });

  test(
    'requests get 503 and the server ends while PostgreSQL is away without closing',
    { tags: ['long'] },
    async () => {
      const wire = await startWire(await createPostgres());
      const store = await openStore(wire.url, { mayCreate: true });
      const { key } = await newTenant(store, { clock: Date.now });
      await store.close();
      const server = await startServer(wire.url, ['--quota', '0']);
      const path = `${server.url}/api/v1/prompts`;
      expect((await ask(path, key)).status).toBe(200);
      wire.freeze();
      const answers = await Promise.all([
        ask(path, key),
        ask(path, key),
        ask(`${server.url}/readyz`, key),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      const pending = ask(path, key).catch(() => undefined);
      const { code } = await server.stop();
      expect(code).toBe(0);
      await pending;
    },
  );
});

eachDatabase('an empty database', (create) => {
  test('an empty database is migrated once by ten servers that start at the same time', async () => {
    const database = await create({ isMigrated: false });
    const stores = await Promise.all(
      Array.from({ length: 10 }, () => openStore(database, { mayCreate: true })),
    );
    const [first] = stores;
    if (first === undefined) throw new Error('Nothing was opened');
    const { workspaceId } = await newTenant(first);
    for (const store of stores) {
      expect((await listWorkspaces(store.reader)).map(({ id }) => id)).toEqual([workspaceId]);
      await store.close();
    }
  });
});
