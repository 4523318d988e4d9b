import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { createKey, revokeKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { createWorkspace } from '../../packages/server/src/workspaces/workspaces.ts';
import { overheard } from '../installed.ts';
import { startServer } from './processes.ts';

/** An import of many hits while a client reads and keys are made and revoked. */
export interface ImportResult {
  readonly rows: number;
  readonly rowsPerSecond: number;
  readonly peakMemory: number;
  readonly longestReadMs: number;
  readonly longestRevocationMs: number;
}

/** Imports `rows` hits from a file that is made in `folder`. */
export async function measureImport(
  database: string,
  { rows, folder }: { rows: number; folder: string },
): Promise<ImportResult> {
  const file = `${folder}/hits.ndjson`;
  await writeHits(file, rows);
  const store = await openStore(database, { mayCreate: true });
  const clock = Date.now;
  const brand = { name: 'Acme' };
  const workspace = await createWorkspace(store, {
    slug: 'bench-import',
    name: 'Import',
    brand,
    clock,
  });
  const { key } = await createKey(store, { workspaceId: workspace.id, name: 'reader', clock });
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);

  const startedMs = performance.now();
  const importer = spawn(
    process.execPath,
    [overheard, 'import', 'hits', file, '--workspace', 'bench-import', '--database', database],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(importer, 'close');
  const waits = { isOver: false, read: 0, revocation: 0, peak: 0 };
  void ended.then(() => {
    waits.isOver = true;
  });
  while (!waits.isOver) {
    waits.read = Math.max(waits.read, await timed(() => read(server.port, key)));
    waits.revocation = Math.max(
      waits.revocation,
      await timed(async () => {
        const made = await createKey(store, { workspaceId: workspace.id, name: 'short', clock });
        await revokeKey(store, made.record.id, { clock });
      }),
    );
    waits.peak = peakMemory(importer.pid) ?? waits.peak;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await server.stop();
  await store.close();
  return {
    rows,
    rowsPerSecond: rows / seconds,
    peakMemory: waits.peak,
    longestReadMs: waits.read,
    longestRevocationMs: waits.revocation,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function read(port: number, key: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/agent-hits`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}`);
  await answer.arrayBuffer();
}

/** The highest resident memory of a process so far, in MB; undefined once it has ended. */
function peakMemory(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

async function writeHits(file: string, rows: number): Promise<void> {
  const output = createWriteStream(file);
  const nowMs = Date.now();
  for (let index = 0; index < rows; index++) {
    const line = JSON.stringify({
      bot_name: 'GPTBot',
      bot_company: 'OpenAI',
      category: 'crawler',
      path: `/articles/${index % 5000}`,
      method: 'GET',
      status: 200,
      verification: 'verified',
      hit_at: new Date(nowMs - index * 997).toISOString(),
    });
    if (!output.write(`${line}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'close');
}
