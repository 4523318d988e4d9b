import { expect, test } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

const paths = ['/api/v1/scores', '/api/v1/prompts'];
const clients = 10;
const quota = 40;

/** Each client asks both endpoints `rounds` times, of one server, with one key; gives the statuses. */
async function ask(
  servers: ReadonlyArray<ServerProcess | undefined>,
  keys: readonly string[],
  rounds: number,
): Promise<Array<readonly [path: string, status: number]>> {
  const outcomes = Array.from({ length: clients }, async (_, client) => {
    const seen: Array<readonly [string, number]> = [];
    for (let round = 0; round < rounds; round++) {
      for (const path of paths) {
        const { status } = await get(
          servers[client % servers.length],
          path,
          keys[client % keys.length],
        );
        seen.push([path, status]);
      }
    }
    return seen;
  });
  return (await Promise.all(outcomes)).flat();
}

async function get(server: ServerProcess | undefined, path: string, key: string | undefined) {
  const response = await fetch(`${server?.url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response;
}

eachDatabase('servers on one database', (create) => {
  test('servers on one database admit exactly the quota of 10 clients with two keys, over a kill', async () => {
    const database = await create();
    const store = await openStore(database, { mayCreate: true });
    const { workspaceId, key } = await newTenant(store, { clock: Date.now });
    const other = await newTenant(store, { clock: Date.now });
    const { key: second } = await createKey(store, { workspaceId, name: 'b', clock: Date.now });
    await store.close();
    const options = ['--log-level', 'error', '--quota', String(quota)];
    const [one, killed] = await Promise.all([
      startServer(database, options),
      startServer(database, options),
    ]);
    const first = await ask([one, killed], [key, second], 3);
    // What a server counted stays counted when it is killed.
    expect(await killed.stop('SIGKILL')).toMatchObject({ code: -1 });
    const servers = [await startServer(database, options), one];
    const then = await ask(servers, [key, second], 4);

    expect(first.every(([, status]) => status === 200)).toBe(true);
    for (const path of paths) {
      const statuses = [...first, ...then]
        .filter(([of]) => of === path)
        .map(([, status]) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(quota);
      expect(statuses.filter((status) => status === 429)).toHaveLength(clients * 7 - quota);
    }
    const refused = await get(one, '/api/v1/scores', key);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    // The other endpoint and the other workspace have lost nothing.
    const elsewhere = await get(one, '/api/v1/actions', key);
    expect(elsewhere.headers.get('ratelimit')).toBe('"actions";r=39;t=3600');
    const others = await get(one, '/api/v1/scores', other.key);
    expect(others.headers.get('ratelimit')).toBe('"scores";r=39;t=3600');
  });
});
