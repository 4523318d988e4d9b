import { expect, onTestFinished, test } from 'vitest';
import { addEngine, answered, noon, startCollecting } from '../../test/engines/collecting.ts';
import { startEngineServer } from '../../test/engines/engine-server.ts';
import { eachDatabase } from '../../test/stores/stores.ts';
import { isRefusal } from '../refusals.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';
import { readCollection } from './collection.ts';
import { setAllowance } from './ledger/budgets.ts';
import { requireLedger } from './ledger/require-ledger.ts';

const run = 'collect run --workspace acme --now --at-once 1';
const page = { nowMs: noon, days: 7 };

eachDatabase('the page of collection', (create) => {
  test('without an engine, the page of collection is empty', async () => {
    const url = await create();
    const store = await openStore(url, { mayCreate: true });
    onTestFinished(() => store.close());
    expect(await readCollection(store, 'none', page)).toEqual({
      prompts: { on: 0, active: 0, long: 0 },
      allowance: null,
      caps: null,
      engines: [],
      estimate: null,
      tomorrow: null,
      priceDifferences: [],
    });
  });

  test.for([
    [0.79, 1],
    [0.81, 0],
    [1.21, 1],
  ] as const)(
    'a price list at %d times of what the engine reports is told in %d warnings',
    { tags: ['once'] },
    async ([factor, warnings]) => {
      const here = await startCollecting(await create(), { prompts: 10 }, answered);
      await here.run(run);
      const { store, workspaceId } = await openAcme(here.url);
      const { db } = await requireLedger(store);
      await db
        .updateTable('readings')
        .set(({ eb }) => ({ listed_micros: eb('cost_micros', '*', factor) }))
        .where('workspace_id', '=', workspaceId)
        .execute();
      const { priceDifferences } = await readCollection(store, workspaceId, page);
      expect(priceDifferences).toHaveLength(warnings);
      const { stdout } = await here.run('doctor');
      expect(stdout.includes('answers of own_api cost $0.0200 as it reports')).toBe(warnings > 0);
    },
  );

  test('engines, budget and the next day are what the ledger holds', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered, {
      status: 500,
      json: { error: { code: 'server_error' } },
    });
    await here.run(run);
    const { store, workspaceId } = await openAcme(here.url);
    const { engines, estimate, ...shown } = await readCollection(store, workspaceId, page);
    expect(shown).toEqual({
      prompts: { on: 2, active: 2, long: 0 },
      allowance: {
        dayUsd: 1,
        monthUsd: 10,
        sweeps: 3,
        periods: [
          { period: '2026-11-20', capUsd: 1, spentUsd: 0.012, heldUsd: 0 },
          { period: '2026-11', capUsd: 10, spentUsd: 0.012, heldUsd: 0 },
        ],
      },
      caps: { dayCapUsd: 1, monthCapUsd: 10 },
      tomorrow: {
        engines: ['own_api'],
        prompts: 2,
        questions: 6,
        usd: 0.06,
        isBound: true,
        highUsd: 0.06,
        allowedUsd: 1,
        monthUsd: 1.8,
        monthCapUsd: 10,
      },
      priceDifferences: [],
    });
    expect(engines).toMatchObject([
      {
        engine: 'own_api',
        model: 'small',
        boundUsd: 0.01,
        offReason: null,
        readings: { done: 1, unknown: 1, planned: 2 },
      },
    ]);
    expect(estimate?.engines[0]?.plans.map(({ sweeps }) => sweeps)).toEqual([1, 3, 5]);
    const { db } = await requireLedger(store);
    const sum = await db
      .selectFrom('readings')
      .select(({ fn }) => fn.sum<number>('cost_micros').as('cost'))
      .executeTakeFirstOrThrow();
    expect(sum.cost).toBe(12_000);
  });

  test(
    'an engine that is off, or whose cost nobody knows, is not in the forecast',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 2 }, answered);
      const other = await startEngineServer(answered);
      const unknown = addEngine({ baseUrl: `${other.url}/v1` }).replace('own_api', 'free_api');
      await here.run(unknown.replace(' --bound 0.01', ''));
      await here.run('engine disable own_api');
      const { store, workspaceId } = await openAcme(here.url);
      const shown = await readCollection(store, workspaceId, page);
      expect(shown.tomorrow).toMatchObject({ engines: [], questions: 0, usd: 0 });
      expect(shown.engines).toMatchObject([
        { engine: 'free_api', offReason: null, boundUsd: null },
        { engine: 'own_api', offReason: 'disabled', boundUsd: 0.01 },
      ]);
      await here.run('engine disable free_api');
      expect((await readCollection(store, workspaceId, page)).estimate).toBeNull();
    },
  );

  test('an admin sets a budget up to the operator’s, and no higher; a lower one is not the cap', async () => {
    const here = await startCollecting(await create(), { prompts: 1, dayUsd: 5 });
    const { store, workspaceId } = await openAcme(here.url);
    const set = (dayUsd: number, monthUsd: number, isOperator = false) =>
      setAllowance(store, workspaceId, { dayUsd, monthUsd, sweeps: 2 }, { isOperator });
    expect(await set(2, 9)).toBe(true);
    expect(await set(2, 9)).toBe(false);
    expect(await set(5, 10)).toBe(true);
    for (const [day, month] of [
      [5.000001, 10],
      [1, 10.01],
    ] as const) {
      await expect(set(day, month)).rejects.toSatisfy(
        (error) => isRefusal(error) && error.code === 'budget_above_cap',
      );
    }
    expect(await readCollection(store, workspaceId, page)).toMatchObject({
      allowance: { dayUsd: 5, monthUsd: 10, sweeps: 2 },
      caps: { dayCapUsd: 5, monthCapUsd: 10 },
    });
    await set(3, 6, true);
    await expect(set(4, 6)).rejects.toSatisfy(isRefusal);
    const { write } = await requireLedger(store);
    const ofAll = { scope: '', day_micros: 2_000_000, month_micros: null, open_max: null };
    await write((db) => db.insertInto('operator_caps').values(ofAll).execute());
    await expect(set(2.5, 6)).rejects.toSatisfy(isRefusal);
    expect(await set(2, 6)).toBe(true);
    await write((db) => db.deleteFrom('allowances').execute());
    await expect(set(1, 5)).rejects.toSatisfy(isRefusal);
    await write((db) => db.updateTable('operator_caps').set({ month_micros: 9_000_000 }).execute());
    expect(await set(1, 5)).toBe(true);
    expect(await set(2, 9)).toBe(true);
  });
});

async function openAcme(url: string): Promise<{ store: Store; workspaceId: string }> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const { id } = await store.reader.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  return { store, workspaceId: id };
}
