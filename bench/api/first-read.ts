import { DatabaseSync } from 'node:sqlite';
import { endpoints } from '@overheard/contract';
import type { SeededWorkspace } from './dataset.ts';
import { load, requestText, startServer } from './processes.ts';

/** What the first read after a change costs beside the bare query and `JSON.stringify`. */
export interface FirstReadLine {
  readonly endpoint: string;
  readonly perSecond: number;
  readonly barePerSecond: number;
}

/** The bare statements: prepared, nothing around them. */
const bareStatements: Record<string, string> = {
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

/** Every endpoint with the server's cache off, so that every answer is a first one. */
export async function measureFirstReads(
  database: string,
  workspaces: readonly SeededWorkspace[],
  seconds: number,
): Promise<FirstReadLine[]> {
  const lines: FirstReadLine[] = [];
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  for (const { name, path, array } of endpoints) {
    const requests = workspaces.map(({ key }) => requestText(path, key));
    await load(server, { requests, connections: 4, seconds: 1 });
    const ours = await load(server, { requests, connections: 4, seconds });
    const statement = bareStatements[name];
    if (statement === undefined) throw new Error(`No bare statement for ${name}`);
    const bare = bareLoop(database, { statement, array, workspaces, seconds });
    lines.push({ endpoint: name, perSecond: ours.perSecond, barePerSecond: bare });
  }
  await server.stop();
  return lines;
}

function bareLoop(
  database: string,
  {
    statement,
    array,
    workspaces,
    seconds,
  }: {
    statement: string;
    array: string;
    workspaces: readonly SeededWorkspace[];
    seconds: number;
  },
): number {
  const handle = new DatabaseSync(database.replace(/^file:/, ''), { readOnly: true });
  handle.exec('pragma cache_size = -32768');
  const prepared = handle.prepare(statement);
  const startedMs = performance.now();
  let rounds = 0;
  while (performance.now() - startedMs < seconds * 1000) {
    const workspace = workspaces[Math.floor(Math.random() * workspaces.length)];
    JSON.stringify({ [array]: prepared.all(workspace?.id ?? '') });
    rounds += 1;
  }
  const perSecond = (rounds * 1000) / (performance.now() - startedMs);
  handle.close();
  return perSecond;
}
