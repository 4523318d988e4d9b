import { rowEndpoints } from '@overheard/contract';
import { table } from '../bench.ts';
import { load, requestText, startServer } from '../processes.ts';
import type { SeededDatabase } from '../seed.ts';

/** Medians of first reads, in a small database, a larger one, and with many hits in one workspace. */
export async function measureFirstReads(
  { few, many, heavy }: { few: SeededDatabase; many: SeededDatabase; heavy: SeededDatabase },
  seconds: number,
): Promise<string> {
  const among = [await medians(few, seconds), await medians(many, seconds)] as const;
  const withHits = await medians(heavy, seconds);
  const row = (name: string, grown: string, [before, after]: typeof among) => {
    const [from = 0, to = 0] = [before.get(name), after.get(name)];
    return [name, grown, from, to, `${(to / from).toFixed(2)}x`];
  };
  const more = `${many.workspaces.length} workspaces instead of ${few.workspaces.length}`;
  return table(
    ['first read', 'with', 'p50 ms before', 'p50 ms after', 'growth'],
    [
      ...rowEndpoints.map(({ name }) => row(name, more, among)),
      row('agent-hits', '100 times the hits in one workspace', [among[0], withHits]),
    ],
  );
}

/** Of each endpoint, one request after the other, with the server's cache off. */
async function medians(
  { database, workspaces }: SeededDatabase,
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const server = await startServer(database, ['--cache-megabytes', '0']);
  const found = new Map<string, number>();
  for (const { name, path } of rowEndpoints) {
    const requests = workspaces.map(({ key }) => requestText(path, key));
    await load(server, { requests, connections: 1, seconds: 1 });
    found.set(name, (await load(server, { requests, connections: 1, seconds })).p50);
  }
  await server.stop();
  return found;
}
