import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../test/stores/postgres.ts';
import { bothStores, createPostgres } from '../../../test/stores/stores.ts';
import { openStore } from '../open/open-store.ts';
import { isUnavailable } from '../unavailable.ts';

bothStores('a quota that is waited for', (open) => {
  test('a logged request never moves back in time, so that none leaves the hour early', async () => {
    const stores = await open();
    const store = stores.find(({ dialect }) => dialect === 'postgres');
    if (store === undefined) throw new Error('There is no PostgreSQL');
    const at = async (log: readonly number[], now: number, slack: number) => {
      const literal = `{${log.join(',')}}`;
      const { rows } = await sql<{ at: number }>`
        select overheard_quota_at(${literal}::bigint[], ${now}::bigint, ${slack}::bigint) as at
      `.execute(store.access);
      return rows[0]?.at;
    };
    expect(await at([1000, 2000], 1500, 2000)).toBe(2000);
    expect(await at([1000, 2000], 2500, 2000)).toBe(2500);
    expect(await at([1000, 9000], 1500, 2000)).toBe(1500);
    expect(await at([1000, 2000], 1500, 0)).toBe(1500);
  });

  test(
    'a request that found no connection in time is not admitted uncounted',
    { tags: ['long'] },
    async () => {
      const stores = await open({ connectionsMax: 5 });
      const store = stores.find(({ dialect }) => dialect === 'postgres');
      if (store === undefined) throw new Error('There is no PostgreSQL');
      const request = { workspaceId: 'w', endpoint: 'scores', quota: 10, windowSeconds: 3600 };
      await store.admit(request);

      const held = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      onTestFinished(() => held.resolve());
      const holding = store.access.transaction().execute(async (transaction) => {
        await sql`select 1 from quota_log where workspace_id = 'w' for update`.execute(transaction);
        locked.resolve();
        await held.promise;
      });
      await locked.promise;
      const admit = async () => store.admit(request);
      // Two wait for the row and take both connections; the third finds none.
      const waiting = Promise.all([admit(), admit()]);
      await expect(admit()).rejects.toThrow('connections_exhausted');
      held.resolve();
      await holding;
      const left = (await waiting).map(({ quota }) => quota?.left);
      expect(new Set(left)).toEqual(new Set([8, 7]));
    },
  );
});

test('a database without a free connection admits nobody uncounted', async () => {
  const postgres = await startPostgres({ connectionsMax: 8 });
  onTestFinished(() => postgres.stop());
  const store = await openStore(postgres.url, { mayCreate: true, connectionsMax: 5 });
  onTestFinished(() => store.close());
  const admit = async () =>
    store.admit({ workspaceId: 'w', endpoint: 'scores', quota: 10, windowSeconds: 3600 });
  await admit();
  const others = await takeConnections(postgres.url);
  onTestFinished(async () => void (await Promise.all(others.map((each) => each.end()))));

  // One connection admits; each request beyond it asks the server for another and is refused.
  const results = await Promise.allSettled(Array.from({ length: 50 }, admit));
  const admitted = results.filter((each) => each.status === 'fulfilled');
  expect(admitted.filter(({ value }) => value.quota === undefined)).toEqual([]);
  const refused = results.filter((each) => each.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(isUnavailable(reason)).toBe(true);
});

test('a request whose count was refused for want of connections is not admitted uncounted', async () => {
  const store = await openStore(await createPostgres());
  onTestFinished(() => store.close());
  await sql`create function no_connection() returns trigger language plpgsql as
    $$ begin raise 'sorry, too many clients already' using errcode = '53300'; end $$`.execute(
    store.access,
  );
  await sql`create trigger no_connection before insert on quota_log
    execute function no_connection()`.execute(store.access);
  const request = { workspaceId: 'w', endpoint: 'scores', quota: 10, windowSeconds: 3600 };
  await expect(store.admit(request)).rejects.toThrow('connections_exhausted');
});

/** Opens connections until the server has none left. */
async function takeConnections(connectionString: string): Promise<readonly Client[]> {
  const taken: Client[] = [];
  for (;;) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
    } catch {
      return taken;
    }
    taken.push(client);
  }
}
