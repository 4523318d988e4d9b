import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createKey, revokeKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { table, timed } from '../bench.ts';
import { startServer } from '../processes.ts';
import { measureCommand } from '../program.ts';
import type { SeededDatabase } from '../seed.ts';

/** Imports hits while a client reads, and keys are made and revoked. */
export async function measureImport(
  { database, workspaces }: SeededDatabase,
  { rows, folder }: { rows: number; folder: string },
): Promise<string> {
  const file = `${folder}/hits.ndjson`;
  const nowMs = Date.now();
  const lines = Array.from({ length: rows }, (_, index) => hitLine(index, nowMs));
  writeFileSync(file, lines.join('\n'));
  const [{ id: workspaceId, key } = { id: '', key: '' }] = workspaces;
  const store = await openStore(database);
  const server = await startServer(database, ['--cache-megabytes', '0']);
  const read = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}/api/v1/agent-hits`, { headers });
    if (response.status !== 200) throw new Error(`A read got ${response.status}`);
    await response.arrayBuffer();
  };
  const makeAndRevoke = async (): Promise<void> => {
    const clock = Date.now;
    const { record } = await createKey(store, { workspaceId, name: 'short', clock });
    await revokeKey(store, record.id, { clock });
  };
  const waits = { isOver: false, readMs: 0, keyMs: 0 };
  const words = ['import', 'hits', file, '--workspace', 'bench-0', '--database', database];
  const importing = measureCommand(words).finally(() => (waits.isOver = true));
  while (!waits.isOver) {
    waits.readMs = Math.max(waits.readMs, (await timed(read)).ms);
    waits.keyMs = Math.max(waits.keyMs, (await timed(makeAndRevoke)).ms);
    await setTimeout(20);
  }
  const { seconds, megabytes } = await importing;
  await server.stop();
  await store.close();
  return table(
    ['import while others work', 'value'],
    [
      ['rows', rows],
      ['rows/s', rows / seconds],
      ['highest resident memory, MB', megabytes],
      ['longest wait of a read, ms', waits.readMs],
      ['longest wait of making and revoking a key, ms', waits.keyMs],
    ],
  );
}

function hitLine(index: number, nowMs: number): string {
  return JSON.stringify({
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    path: `/articles/${index % 5000}`,
    method: 'GET',
    status: 200,
    verification: 'verified',
    hit_at: new Date(nowMs - index * 997).toISOString(),
  });
}
