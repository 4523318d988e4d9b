import { DatabaseSync } from 'node:sqlite';
import { rowEndpoints } from '@overheard/contract';
import { percent, table } from '../bench.ts';
import { load, requestText, startServer } from './processes.ts';
import type { SeededWorkspace } from './workspaces.ts';

/** The bare statements: prepared, nothing around them. */
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

/** Each endpoint with the server's cache off, beside the bare query and `JSON.stringify`. */
export async function measureFirstReads(
  database: string,
  workspaces: readonly SeededWorkspace[],
  seconds: number,
): Promise<string> {
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  const handle = new DatabaseSync(database.replace(/^file:/, ''), { readOnly: true });
  handle.exec('pragma cache_size = -32768');
  const rows: Array<Array<string | number>> = [];
  for (const { name, path, array } of rowEndpoints) {
    const requests = workspaces.map(({ key }) => requestText(path, key));
    await load(server, { requests, connections: 4, seconds: 1 });
    const { perSecond } = await load(server, { requests, connections: 4, seconds });
    const prepared = handle.prepare(bareStatements[name]);
    const bare = perSecondOf(seconds, () => {
      const { id } = workspaces[Math.floor(Math.random() * workspaces.length)] ?? { id: '' };
      return JSON.stringify({ [array]: prepared.all(id) });
    });
    rows.push([name, perSecond, bare, percent(perSecond / bare)]);
  }
  handle.close();
  await server.stop();
  const head = ['first read after a change', 'responses/s', 'bare query and JSON/s', 'ratio'];
  return table(head, rows);
}

function perSecondOf(seconds: number, work: () => unknown): number {
  const startedMs = performance.now();
  let rounds = 0;
  for (; performance.now() - startedMs < seconds * 1000; rounds++) work();
  return (rounds * 1000) / (performance.now() - startedMs);
}
