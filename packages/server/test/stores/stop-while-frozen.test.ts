import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { newTenant } from '../servers/api.ts';
import { spawnCommand } from '../commands/spawn-command.ts';
import { startWire } from './database-wire.ts';
import type { DatabaseWire } from './database-wire.ts';
import { startServer } from '../servers/server-process.ts';
import { createPostgres } from './stores.ts';

interface FreezableDatabase {
  readonly wire: DatabaseWire;
  readonly slug: string;
  readonly key: string;
}

/** A workspace in a database that can be frozen. */
async function prepare(): Promise<FreezableDatabase> {
  const url = await createPostgres();
  const store = await openStore(url);
  const { slug, key } = await newTenant(store, { clock: Date.now });
  await store.close();
  return { wire: await startWire(url), slug, key };
}

/** Sessions of the database that wait for a lock. */
async function waitingForLocks({ reader }: Store): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity 
      where wait_event_type = 'Lock' and datname = current_database()`.execute(reader);
  return Number(rows[0]?.count);
}

describe('while PostgreSQL is frozen, SIGTERM', () => {
  test(
    'SIGTERM ends a server while PostgreSQL is frozen, idle or with open requests',
    { tags: ['long'] },
    async () => {
      const { wire, key } = await prepare();
      for (const requests of [0, 40]) {
        const server = await startServer(wire.url, ['--quota', '0']);
        const ask = () =>
          fetch(`${server.url}/api/v1/prompts`, { headers: { authorization: `Bearer ${key}` } });
        await Promise.all(Array.from({ length: 40 }, async () => (await ask()).text()));
        wire.freeze();
        const pending = Array.from({ length: requests }, () => ask().catch(() => undefined));
        await setTimeout(200);
        const ended = server.stop();
        expect(await ended).toMatchObject({ code: 0 });
        await Promise.all(pending);
        wire.thaw();
      }
    },
  );

  test('SIGTERM ends a starting server while PostgreSQL is frozen', async () => {
    const { wire } = await prepare();
    const first = await openStore(wire.url, { mayCreate: true });
    onTestFinished(() => first.close());
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = first.writer.transaction().execute(async (transaction) => {
      await sql`lock table schema_versions`.execute(transaction);
      locked.resolve();
      await held.promise;
    });
    onTestFinished(() => lock);
    onTestFinished(() => held.resolve());
    await locked.promise;
    const { child, ended } = spawnCommand(['serve', '--port', '0', '--database', wire.url]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => waitingForLocks(first)).toBe(1);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });
});
