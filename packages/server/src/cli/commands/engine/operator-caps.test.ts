import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  addEngine,
  answered,
  budget,
  noon,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { payTest } from '../../../collect/ledger/pay-test.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';

async function operatorBudget(here: Collecting): Promise<unknown> {
  return JSON.parse((await here.run('budget cap --json')).stdout).periods;
}

eachDatabase({ title: 'the operator’s caps', onBoth: true }, (create) => {
  test(
    'the operator’s caps stop a single engine before it passes its own, and the other engines go on',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 3 }, answered);
      const other = await startEngineServer(answered);
      await here.run(addEngine({ baseUrl: `${other.url}/v1` }).replace('own_api', 'other_api'));
      await here.run(`${addEngine(here)} --cap-day 0.013`);
      const { stderr } = await here.run(`${run} --at-once 1`);
      expect(here.sent).toHaveLength(2);
      expect(other.sent).toHaveLength(3);
      expect(stderr).toContain("Left out: The operator's cap of own_api is used up");
      expect(stderr).not.toContain('The budget is used up');
      // Changing the model keeps the cap; none lifts it.
      await here.run(addEngine(here));
      await here.run(run);
      expect(here.sent).toHaveLength(2);
      const { stdout } = await here.run('engine list');
      expect(stdout).toContain('$0.0130 a day');
      expect(stdout).toContain('$0.0040 today, $0.0040 this month');
      expect(stdout).toContain('$0.00 today, $0.00 this month');
      await here.run(`${addEngine(here)} --cap-day none`);
      await here.run(run);
      expect(here.sent).toHaveLength(3);
      expect(await status(here)).toMatchObject({ readings: { done: 3 } });
    },
  );

  test('the operator’s caps count what open questions hold, so that no more are open than the cap has room for', async () => {
    let open = 0;
    let openMax = 0;
    const here = await startCollecting(await create(), { prompts: 6 }, (response) => {
      openMax = Math.max(openMax, ++open);
      void setTimeout(150).then(() => {
        open -= 1;
        response.end(JSON.stringify(answered.json));
      });
    });
    await here.run('budget cap --day 0.025');
    await here.run(`${run} --at-once 6`);
    expect(openMax).toBeLessThanOrEqual(2);
    expect(here.sent).toHaveLength(6);
  });

  test(
    'the operator’s caps over all workspaces limit each of them, whatever its own budget is',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 3, dayUsd: 5 }, answered);
      await here.run('workspace create globex --name Globex --brand Globex');
      await here.run('import prompts - --workspace globex', {
        stdin: '{"text":"Which?","locale":"en-US"}',
      });
      await here.run('prompts collect on --all --workspace globex');
      await here.run('budget set --workspace globex --day 5 --month 5');
      await here.run('budget cap --month 0.013');
      const { stderr } = await here.run(`${run} --at-once 1`);
      expect(stderr).toContain("Left out: The operator's cap over all workspaces is used up");
      expect(here.sent).toHaveLength(2);
      expect((await here.run('collect run --workspace globex --now')).stderr).toContain(
        'cap over all',
      );
      expect(here.sent).toHaveLength(2);
      expect(await operatorBudget(here)).toEqual([
        { period: '2026-11-20', cap_usd: null, spent_usd: 0.004, held_usd: 0 },
        { period: '2026-11', cap_usd: 0.013, spent_usd: 0.004, held_usd: 0 },
      ]);
      expect(await budget(here)).toMatchObject({ spent_usd: 0.004, held_usd: 0 });
    },
  );

  test(
    'the operator’s caps count what was given up, failed or put off as its workspace does',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(
        await create(),
        { prompts: 4 },
        { status: 500, json: { error: { code: 'server_error' } } },
        { status: 400, json: { error: { code: 'invalid_value' } } },
        { status: 429, headers: { 'retry-after-ms': '1' }, json: { error: { code: 'slow_down' } } },
        answered,
      );
      const began = performance.now();
      await here.run(`${run} --at-once 1`, { clock: () => noon + performance.now() - began });
      expect(await operatorBudget(here)).toMatchObject([{ spent_usd: 0.014, held_usd: 0 }, {}]);
      expect(await budget(here)).toMatchObject({ spent_usd: 0.014, held_usd: 0 });
    },
  );

  test(
    'the operator’s caps count the questions of engine test, and refuse one that could pass them',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 1 }, answered);
      await here.run('budget cap --day 0.011');
      const ask = () => here.run('engine test own_api --prompt Which?');
      expect(await ask()).toMatchObject({ code: 0 });
      expect(await operatorBudget(here)).toMatchObject([{ spent_usd: 0.002, held_usd: 0 }, {}]);
      expect(await ask()).toMatchObject({ code: 1 });
      expect((await here.run(run)).stderr).toContain('cap over all workspaces is used up');
      expect(here.sent).toHaveLength(1);
    },
  );

  test('the operator’s caps limit the questions that are open at once, in all processes together', async () => {
    let most = 0;
    const open: Array<() => void> = [];
    // Two open at once are answered; one alone waits for the other.
    const here = await startCollecting(await create(), { prompts: 4 }, (response) => {
      open.push(() => response.end(JSON.stringify(answered.json)));
      most = Math.max(most, open.length);
      if (open.length < 2) return;
      void setTimeout(50).then(() => {
        for (const answer of open.splice(0)) answer();
      });
    });
    await here.run(`${addEngine(here)} --at-once 2`);
    await Promise.all([here.run(`${run} --at-once 3`), here.run(`${run} --at-once 3`)]);
    expect(here.sent).toHaveLength(4);
    expect(most).toBe(2);
  });

  test.for([
    ['run', 'collect run --workspace acme', 0],
    ['test', 'engine test own_api --prompt Which?', 0.002],
  ] as const)(
    'what a killed engine test held is charged at its bound by the next %s, until its end is known',
    { tags: ['once'] },
    async ([, line, costUsd]) => {
      const here = await startCollecting(await create(), { prompts: 0 }, answered);
      await here.run('budget cap --day 0.5');
      const store = await openStore(here.url, { clock: () => noon });
      onTestFinished(() => store.close());
      const killed = Promise.withResolvers<{ costMicros: number }>();
      const question = {
        engine: 'own_api',
        model: 'small',
        boundMicros: 10_000,
        timeoutMs: 600_000,
      };
      const asking = Promise.withResolvers<void>();
      const paying = payTest(store, question, {
        clock: () => noon,
        ask: () => {
          asking.resolve();
          return killed.promise;
        },
      });
      await asking.promise;
      const at = async (minutes: number) => {
        const clock = () => noon + minutes * 60_000;
        await here.run(line, { clock });
        return JSON.parse((await here.run('budget cap --json')).stdout).periods[0];
      };
      const spent = (usd: number) => expect.closeTo(usd, 6);
      expect(await at(19)).toMatchObject({ spent_usd: spent(costUsd), held_usd: 0.01 });
      expect(await at(21)).toMatchObject({ spent_usd: spent(0.01 + 2 * costUsd), held_usd: 0 });
      expect(await at(22)).toMatchObject({ spent_usd: spent(0.01 + 3 * costUsd), held_usd: 0 });
      killed.resolve({ costMicros: 2000 });
      await paying;
      expect(await at(23)).toMatchObject({ spent_usd: spent(0.002 + 4 * costUsd), held_usd: 0 });
    },
  );
});
