import { rowEndpoints } from '@overheard/contract';
import { table } from '../bench.ts';
import { load, requestText, startServer } from './processes.ts';
import { seedOne, seedWorkspaces, usualShape } from './workspaces.ts';
import type { SeededWorkspace } from './workspaces.ts';

const few = 5;

/** Medians of first reads: 5 workspaces against all of a larger database, then one with 100 times the hits. */
export async function measureGrowth({
  small,
  large,
  workspaces,
  seconds,
}: {
  /** A database that is made here. */
  small: string;
  large: string;
  workspaces: readonly SeededWorkspace[];
  seconds: number;
}): Promise<string> {
  const alone = await medians(small, await seedWorkspaces(small, few), seconds);
  const among = await medians(large, workspaces, seconds);
  const heavyShape = { ...usualShape, hits: usualShape.hits * 100 };
  const heavy = await seedOne(small, 'heavy', heavyShape);
  const withManyHits = await medians(small, [heavy], seconds);
  const row = (name: string, grown: string, after: ReadonlyMap<string, number>) => {
    const [from = 0, to = 0] = [alone.get(name), after.get(name)];
    return [name, grown, from, to, `${(to / from).toFixed(2)}x`];
  };
  const head = ['first read', 'with', 'p50 ms before', 'p50 ms after', 'growth'];
  return table(head, [
    ...rowEndpoints.map(({ name }) =>
      row(name, `${workspaces.length} workspaces instead of ${few}`, among),
    ),
    row('agent-hits', '100 times the hits in one workspace', withManyHits),
  ]);
}

/** Of each endpoint, one request after the other, with the server's cache off. */
async function medians(
  database: string,
  workspaces: readonly SeededWorkspace[],
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  const found = new Map<string, number>();
  for (const { name, path } of rowEndpoints) {
    const requests = workspaces.map(({ key }) => requestText(path, key));
    await load(server, { requests, connections: 1, seconds: 1 });
    const { p50 } = await load(server, { requests, connections: 1, seconds });
    found.set(name, p50);
  }
  await server.stop();
  return found;
}
