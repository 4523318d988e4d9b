import { endpoints } from '@overheard/contract';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { seedWorkspace, usualShape } from './dataset.ts';
import type { SeededWorkspace } from './dataset.ts';
import { load, requestText, startServer } from './processes.ts';

/** The median time of first reads of one endpoint, in milliseconds, with less data and with more. */
export interface GrowthLine {
  readonly endpoint: string;
  readonly grown: string;
  readonly beforeMs: number;
  readonly afterMs: number;
}

const few = 5;

/** Reads with the cache off: 5 workspaces against all of a larger database, then one with 100 times the hits. */
export async function measureGrowth({
  smallDatabase,
  largeDatabase,
  workspaces,
  seconds,
}: {
  /** A database that is made here, with few workspaces. */
  smallDatabase: string;
  largeDatabase: string;
  workspaces: readonly SeededWorkspace[];
  seconds: number;
}): Promise<GrowthLine[]> {
  const store = await openStore(smallDatabase, { mayCreate: true });
  const small: SeededWorkspace[] = [];
  for (let index = 0; index < few; index++) {
    small.push(await seedWorkspace(store, `bench-${index}`));
  }
  const hundredfold = { ...usualShape, hits: usualShape.hits * 100 };
  const heavy = await seedWorkspace(store, 'bench-heavy', hundredfold);
  await store.close();

  const alone = await medians(smallDatabase, small, seconds);
  const among = await medians(largeDatabase, workspaces, seconds);
  const withManyHits = await medians(smallDatabase, [heavy], seconds);
  const growth = endpoints.map(({ name }) => ({
    endpoint: name,
    grown: `${workspaces.length} workspaces instead of ${few}`,
    beforeMs: alone.get(name) ?? Number.NaN,
    afterMs: among.get(name) ?? Number.NaN,
  }));
  return [
    ...growth,
    {
      endpoint: 'agent-hits',
      grown: '100 times the hits in one workspace',
      beforeMs: alone.get('agent-hits') ?? Number.NaN,
      afterMs: withManyHits.get('agent-hits') ?? Number.NaN,
    },
  ];
}

/** Of each endpoint, one request after the other. */
async function medians(
  database: string,
  workspaces: readonly SeededWorkspace[],
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  const found = new Map<string, number>();
  for (const { name, path } of endpoints) {
    const requests = workspaces.map(({ key }) => requestText(path, key));
    await load(server, { requests, connections: 1, seconds: 1 });
    const { p50 } = await load(server, { requests, connections: 1, seconds });
    found.set(name, p50);
  }
  await server.stop();
  return found;
}
