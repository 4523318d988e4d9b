import { DatabaseSync } from 'node:sqlite';
import { rowEndpoints } from '@overheard/contract';
import { plural } from '../../packages/server/src/values/plural.ts';
import { median, table } from '../bench.ts';
import { load, requestText, startServer } from '../processes.ts';
import type { SeededDatabase } from '../seed.ts';

/** The rows of each endpoint as one statement for SQLite: the reference of a first read. */
const bareStatements = {
  scores:
    "select date, engine, citations, total_runs, sov from scores where workspace_id = ? and date >= date('now', '-179 days') and date <= date('now') order by date desc, engine",
  prompts:
    'select id, text, language, locale, active, created_at from prompts where workspace_id = ? order by created_at desc, id limit 500',
  actions:
    'select id, prompt_id, recommendation, priority, status, impact_score, sov_baseline, sov_result, created_at from actions where workspace_id = ? order by impact_score desc nulls last, created_at desc, id',
  'agent-hits':
    'select bot_name, bot_company, category, path, method, status, verification, hit_at from hits where workspace_id = ? order by hit_at desc, id limit 500',
  detections:
    'select d.run_id, d.subject_type, d.subject_id, d.cited, d.position, d.rank, d.sentiment, r.engine, r.run_at from (select id, engine, run_at from runs where workspace_id = ?1 order by run_at desc, id limit 200) r join detections d on d.workspace_id = ?1 and d.run_id = r.id order by r.run_at desc, r.id, d.subject_type, d.rank nulls last, d.id',
};

/** Medians of first reads, in a small database, a larger one, and with many hits in one workspace. */
export async function measureFirstReads(
  {
    few,
    many,
    heavy,
    hitsTimes,
  }: { few: SeededDatabase; many: SeededDatabase; heavy: SeededDatabase; hitsTimes: number },
  seconds: number,
): Promise<string> {
  const among = [await medians(few, seconds), await medians(many, seconds)] as const;
  const withHits = await medians(heavy, seconds);
  const row = (name: string, grown: string, [before, after]: typeof among) => {
    const [from = 0, to = 0] = [before.get(name), after.get(name)];
    return [name, grown, from, to, `${(to / from).toFixed(2)}x`];
  };
  const more = `${plural(many.workspaces.length, 'workspace')} instead of ${few.workspaces.length}`;
  const growth = table(
    ['first read', 'with', 'p50 ms before', 'p50 ms after', 'growth'],
    [
      ...rowEndpoints.map(({ name }) => row(name, more, among)),
      row('agent-hits', `${hitsTimes} times the hits in one workspace`, [among[0], withHits]),
    ],
  );
  if (!many.database.startsWith('file:')) return growth;
  return `${bareTable(many, among[1])}\n\n${growth}`;
}

/** Compares first reads over HTTP with the bare query and `JSON.stringify` in this process. */
function bareTable(
  { database, workspaces }: SeededDatabase,
  served: ReadonlyMap<string, number>,
): string {
  const handle = new DatabaseSync(database.slice('file:'.length), { readOnly: true });
  const rows = rowEndpoints.map(({ name, array }) => {
    const statement = handle.prepare(bareStatements[name]);
    const times = Array.from({ length: 500 }, (_, index) => {
      const startedMs = performance.now();
      JSON.stringify({ [array]: statement.all(workspaces[index % workspaces.length]?.id ?? '') });
      return performance.now() - startedMs;
    });
    const [ours, bare] = [served.get(name) ?? Number.NaN, median(times)];
    return [name, ours, bare, `${(ours / bare).toFixed(1)}x`];
  });
  handle.close();
  const head = ['first read after a change', 'p50 ms', 'bare query and JSON, ms', 'ratio'];
  return table(head, rows);
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
