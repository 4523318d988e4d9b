import { expect, onTestFinished, test } from 'vitest';
import { addEngine, answered, noon, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { handOver } from '../../../collect/ledger/hand-over.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import type { Ledger, Store } from '../../../storage/store.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';

const run = 'collect run --workspace acme --now --at-once 1';

async function open(
  here: Collecting,
): Promise<{ store: Store; ledger: Ledger; workspaceId: string }> {
  const store = await openStore(here.url);
  onTestFinished(() => store.close());
  const ledger = await store.ledger();
  if (ledger === undefined) throw new Error('No ledger');
  return { store, ledger, workspaceId: (await findWorkspace(store.reader, 'acme')).id };
}

/** What is held for one reading. */
async function boundOf(here: Collecting): Promise<number> {
  const { stdout } = await here.run('collect plan --workspace acme --readings --json', {
    clock: () => noon + 86_400_000,
  });
  return JSON.parse(stdout).readings[0].held_usd;
}

const atCost = (cost: number) => ({ json: { ...answered.json, usage: { cost } } });

eachDatabase('the bound of a reading', (create) => {
  test('the bound of a reading is 1.5 times the 99th percentile of the last hundred costs', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, atCost(0.002));
    const own = `${addEngine(here)}`.replace(' --bound 0.01', '');
    await here.run(`${own} --kind chatgpt_api --model gpt-6-luna`);
    const before = await boundOf(here);
    const { ledger, workspaceId } = await open(here);
    await here.run(run);
    const [reading] = await ledger.db
      .selectFrom('readings')
      .selectAll()
      .where('state', '=', 'done')
      .execute();
    if (reading === undefined) throw new Error('Nothing was asked');
    const copies = (count: number, costMicros: number, from = 0) =>
      ledger.db
        .insertInto('readings')
        .values(
          Array.from({ length: count }, (_, place) => ({
            ...reading,
            workspace_id: workspaceId,
            id: `copy-${from + place}`,
            cost_micros: costMicros,
            cost_basis: 'computed' as const,
          })),
        )
        .execute();
    await ledger.db.deleteFrom('readings').execute();
    await copies(99, 4000);
    expect(await boundOf(here)).toBe(before);
    await copies(1, 4000, 99);
    expect(await boundOf(here)).toBe(0.006);
    // One of a hundred and one cost more: a bound is never below it.
    await copies(1, 9000, 100);
    expect(await boundOf(here)).toBe(0.009);
    await here.run(`${own} --kind chatgpt_api --model gpt-6-luna --bound 0.02`);
    expect(await boundOf(here)).toBe(0.02);
    await here.run(`${own} --kind chatgpt_api --model gpt-6-luna --bound 0.001`);
    expect(await boundOf(here)).toBe(0.009);
    // Another model costs something else.
    await here.run(`${own} --kind chatgpt_api --model gpt-6.1-sol`);
    expect(await boundOf(here)).toBeGreaterThan(before);
  });
});

eachDatabase('the hand-over', (create) => {
  test('the hand-over counts each run once, however many processes hand over the same answers', async () => {
    const here = await startCollecting(await create(), { prompts: 5 }, answered);
    await here.run(run);
    const { store, ledger, workspaceId } = await open(here);
    await here.run('answers remove --workspace acme --engine own_api --yes');
    await ledger.db.updateTable('readings').set({ handed_at: null }).execute();
    const options = { workspaceId, clock: () => noon };
    const counts = await Promise.all([
      handOver(store, ledger, options),
      handOver(store, ledger, options),
      handOver(store, ledger, options),
    ]);
    expect(counts.reduce((sum, { runs }) => sum + runs, 0)).toBe(5);
  });
});
