import { openStore } from '../../packages/server/src/storage/open.ts';
import { seedWorkspace, usualShape } from './dataset.ts';
import type { SeededWorkspace } from './dataset.ts';
import { load, requestText, startServer } from './processes.ts';

/** The median time of a first read of hits, in milliseconds, with more data around it and in it. */
export interface GrowthResult {
  readonly fewWorkspaces: number;
  readonly manyWorkspaces: number;
  readonly usualHits: number;
  readonly hundredfoldHits: number;
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
}): Promise<GrowthResult> {
  const store = await openStore(smallDatabase, { mayCreate: true });
  const small: SeededWorkspace[] = [];
  for (let index = 0; index < few; index++) {
    small.push(await seedWorkspace(store, `bench-${index}`));
  }
  const hundredfold = { ...usualShape, hits: usualShape.hits * 100 };
  const heavy = await seedWorkspace(store, 'bench-heavy', hundredfold);
  await store.close();

  const hits = '/api/v1/agent-hits';
  const everything = [
    '/api/v1/scores',
    '/api/v1/prompts',
    '/api/v1/actions',
    hits,
    '/api/v1/detections',
  ];
  return {
    fewWorkspaces: await median(smallDatabase, small, everything, seconds),
    manyWorkspaces: await median(largeDatabase, workspaces, everything, seconds),
    usualHits: await median(smallDatabase, small, [hits], seconds),
    hundredfoldHits: await median(smallDatabase, [heavy], [hits], seconds),
  };
}

async function median(
  database: string,
  workspaces: readonly SeededWorkspace[],
  paths: readonly string[],
  seconds: number,
): Promise<number> {
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  const requests = workspaces.flatMap(({ key }) => paths.map((path) => requestText(path, key)));
  await load(server, { requests, connections: 1, seconds: 1 });
  const { p50 } = await load(server, { requests, connections: 1, seconds });
  await server.stop();
  return p50;
}
