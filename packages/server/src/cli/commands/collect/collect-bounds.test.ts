import { expect, onTestFinished, test } from 'vitest';
import { addEngine, answered, noon, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
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

eachDatabase({ title: 'the bound of a reading', onBoth: true }, (create) => {
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
    // $0.10 for a million tokens: the 17 bytes of the prompt, read four times.
    expect(await boundOf(here)).toBe(0.006007);
    // One of a hundred and one cost more: a bound is never below it.
    await copies(1, 9000, 100);
    expect(await boundOf(here)).toBe(0.009007);
    await here.run(`${own} --kind chatgpt_api --model gpt-6-luna --bound 0.02`);
    expect(await boundOf(here)).toBe(0.02);
    await here.run(`${own} --kind chatgpt_api --model gpt-6-luna --bound 0.001`);
    expect(await boundOf(here)).toBe(0.009);
    // Another model costs something else.
    await here.run(`${own} --kind chatgpt_api --model gpt-6.1-sol`);
    expect(await boundOf(here)).toBeGreaterThan(before);
  });
});

/** Imports a prompt of this text, which is on. */
async function addPrompt(here: Collecting, text: string): Promise<Outcome> {
  const row = { text, language: 'en', locale: 'en-US', active: true, collect: 'on' };
  const stdin = JSON.stringify({ ...row, created_at: '2026-11-01T00:00:00Z' });
  return here.run('import prompts - --workspace acme', { stdin });
}

eachDatabase({ title: 'a long prompt', onBoth: true }, (create) => {
  test('the bound of a reading counts the bytes of its prompt, and so does what is charged for an unknown end', async () => {
    const here = await startCollecting(await create(), { prompts: 0 }, { status: 500, json: {} });
    const own = addEngine(here).replace(' --bound 0.01', '');
    await here.run(`${own} --kind chatgpt_api --model gpt-6.1-sol --searches 2`);
    await addPrompt(here, 'x');
    await addPrompt(here, 'é'.repeat(1500));
    const { stdout } = await here.run('collect plan --workspace acme --readings --json');
    const held = JSON.parse(stdout).readings.map((reading: { held_usd: number }) =>
      Math.round(reading.held_usd * 1e6),
    );
    const [short, long] = [Math.min(...held), Math.max(...held)];
    // $2 for a million tokens: 2,999 bytes more, read at first and after each of two searches.
    expect(long - short).toBe(2999 * 2 * 3);
    await here.run(run);
    const { ledger } = await open(here);
    const charged = await ledger.db
      .selectFrom('readings')
      .select('cost_micros')
      .where('state', '=', 'unknown')
      .orderBy('cost_micros')
      .execute();
    expect(charged).toEqual([{ cost_micros: short }, { cost_micros: long }]);
  });

  test('a reading whose prompt has grown too long is skipped', { tags: ['once'] }, async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    await here.run('collect run --workspace acme', { clock: () => noon - 12 * 3_600_000 });
    const { store, ledger } = await open(here);
    await store.writer
      .updateTable('prompts')
      .set({ text: 'x'.repeat(2001) })
      .execute();
    await here.run(run);
    expect(here.sent).toHaveLength(0);
    const readings = await ledger.db.selectFrom('readings').select(['state', 'fault']).execute();
    expect(readings).toContainEqual({ state: 'skipped', fault: 'prompt_too_long' });
  });

  test(
    'a prompt of more than 2,000 characters is not asked, and switching it on says so',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 0 }, answered);
      await addPrompt(here, '😀'.repeat(2000));
      await addPrompt(here, 'x'.repeat(2001));
      const words = '1 prompt that is on has more than 2,000 characters, so it is not asked.';
      const on = await here.run('prompts collect on --all --workspace acme');
      expect(on.stderr).toContain(words);
      await here.run(run);
      expect(here.sent).toHaveLength(1);
      expect(JSON.stringify(here.sent)).not.toContain('xxx');
    },
  );
});

eachDatabase({ title: 'the hand-over', onBoth: true }, (create) => {
  test('the hand-over counts each run once, however many processes hand over the same answers', async () => {
    const here = await startCollecting(await create(), { prompts: 3 }, answered);
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
    expect(counts.reduce((sum, { runs }) => sum + runs, 0)).toBe(3);
  });
});
