import { expect, test } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

const paths = ['/api/v1/scores', '/api/v1/prompts'];
const clients = 50;

/** Each client asks both endpoints `rounds` times, of one server, with one key; gives the statuses. */
async function ask(
  servers: readonly ServerProcess[],
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

eachDatabase('four servers on one database', (create) => {
  test('four servers on one database admit exactly 300 requests of 50 clients with two keys, over restarts and a kill', async () => {
    const database = await create();
    const store = await openStore(database, { mayCreate: true });
    const { workspaceId, key } = await newTenant(store, { clock: Date.now });
    const other = await newTenant(store, { clock: Date.now });
    const { key: second } = await createKey(store, { workspaceId, name: 'b', clock: Date.now });
    await store.close();
    const start = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => startServer(database, ['--log-level', 'error'])),
      );

    const servers = await start(4);
    const first = await ask(servers, [key, second], 3);
    // One goes as it is told to, one is killed; what they counted stays counted.
    const ends = await Promise.all([servers[0]?.stop('SIGTERM'), servers[1]?.stop('SIGKILL')]);
    expect(ends.map((end) => end?.code)).toEqual([0, -1]);
    const restarted = [...(await start(2)), ...servers.slice(2)];
    const then = await ask(restarted, [key, second], 5);

    expect(first.every(([, status]) => status === 200)).toBe(true);
    for (const path of paths) {
      const statuses = [...first, ...then]
        .filter(([of]) => of === path)
        .map(([, status]) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(300);
      expect(statuses.filter((status) => status === 429)).toHaveLength(clients * 8 - 300);
    }
    const [server] = restarted;
    const refused = await get(server, '/api/v1/scores', key);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    // The other endpoint and the other workspace have lost nothing.
    const elsewhere = await get(server, '/api/v1/actions', key);
    expect(elsewhere.headers.get('ratelimit')).toBe('"actions";r=299;t=3600');
    const others = await get(server, '/api/v1/scores', other.key);
    expect(others.headers.get('ratelimit')).toBe('"scores";r=299;t=3600');
  });
});
