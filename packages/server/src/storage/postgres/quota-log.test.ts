import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { bothStores } from '../../../test/stores.ts';
import { UnavailableError } from '../../problems.ts';

bothStores('a quota that is waited for', (open) => {
  test('admits nobody uncounted who found no connection in time', { timeout: 60_000 }, async () => {
    const stores = await open({ connectionsMax: 4 });
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
    await expect(admit()).rejects.toBeInstanceOf(UnavailableError);
    held.resolve();
    await holding;
    const left = (await waiting).map(({ quota }) => quota?.left);
    expect(new Set(left)).toEqual(new Set([8, 7]));
  });
});
