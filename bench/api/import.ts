import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { createKey, revokeKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { table } from '../bench.ts';
import { measureCommand } from '../measured-command.ts';
import { startServer } from './processes.ts';
import { seedOne, usualShape } from './workspaces.ts';

const slug = 'import';

/** Imports `rows` hits while a client reads, and keys are made and revoked. */
export async function measureImport(
  database: string,
  { rows, folder }: { rows: number; folder: string },
): Promise<string> {
  const file = `${folder}/hits.ndjson`;
  await pipeline(Readable.from(hitLines(rows)), createWriteStream(file));
  const { id: workspaceId, key } = await seedOne(database, slug, { ...usualShape, hits: 1 });
  const store = await openStore(database);
  const server = await startServer(database, ['--quota', '0', '--cache-megabytes', '0']);
  const waits = { isOver: false, readMs: 0, keyMs: 0 };
  const words = ['import', 'hits', file, '--workspace', slug, '--database', database];
  const importing = measureCommand(words).finally(() => {
    waits.isOver = true;
  });
  while (!waits.isOver) {
    waits.readMs = Math.max(waits.readMs, await timed(read));
    waits.keyMs = Math.max(waits.keyMs, await timed(makeAndRevoke));
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

  async function read(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/agent-hits`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (response.status !== 200) throw new Error(`A read got ${response.status}`);
    await response.arrayBuffer();
  }

  async function makeAndRevoke(): Promise<void> {
    const clock = Date.now;
    const { record } = await createKey(store, { workspaceId, name: 'short', clock });
    await revokeKey(store, record.id, { clock });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function* hitLines(count: number): Generator<string> {
  const nowMs = Date.now();
  for (let index = 0; index < count; index++) {
    yield `${JSON.stringify({
      bot_name: 'GPTBot',
      bot_company: 'OpenAI',
      category: 'crawler',
      path: `/articles/${index % 5000}`,
      method: 'GET',
      status: 200,
      verification: 'verified',
      hit_at: new Date(nowMs - index * 997).toISOString(),
    })}\n`;
  }
}
