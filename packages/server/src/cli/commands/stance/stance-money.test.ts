import { expect, test } from 'vitest';
import { noon, plantedKey } from '../../../../test/engines/collecting.ts';
import {
  answerRows,
  countRows,
  ledgerOf,
  named,
  reply,
  startJudging,
  withStore,
} from '../../../../test/engines/judging.ts';
import type { Judging } from '../../../../test/engines/judging.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { setStanceBudget } from '../../../collect/stances/stance-budgets.ts';
import { judgeToAsk } from '../../../collect/stances/judge-engine.ts';
import { claimJudgement } from '../../../collect/stances/claim-judgement.ts';
import { requireLedger } from '../../../collect/ledger/require-ledger.ts';
import { removeWorkspace } from '../../../workspaces/remove-workspace.ts';

const run = 'stance run --workspace acme --at-once 1 --json';
async function result(here: Judging, line = run, clock = () => noon): Promise<unknown> {
  return JSON.parse((await here.run(line, { clock })).stdout);
}

eachDatabase({ title: 'the money of stances', onBoth: true }, (create) => {
  test('two processes that claim the same answer at once send it once', async () => {
    const here = await startJudging(await create(), named(1));
    await withStore(here, async (store, workspaceId) => {
      const ledger = await requireLedger(store);
      const clock = () => noon;
      const environment = { OWN_KEY: plantedKey };
      const engine = await judgeToAsk(store, ledger, 'own_api', {
        workspaceId,
        environment,
        clock,
      });
      const judgement = { workspaceId, id: 'j', runId: 'r', subjects: [], question: 'Which?' };
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => claimJudgement(ledger, { judgement, engine, nowMs: noon })),
      );
      expect(claims.filter((claim) => typeof claim === 'object')).toHaveLength(1);
    });
    expect((await ledgerOf(here)).budgets).toEqual([
      { period: 'stance 2026-11', spent: 0, held: 10_000 },
      { period: 'stance 2026-11-20', spent: 0, held: 10_000 },
    ]);
  });

  test('what a killed process reserved is charged once nobody judges any more', async () => {
    const here = await startJudging(await create(), named(1));
    await withStore(here, async (store, workspaceId) => {
      const ledger = await requireLedger(store);
      const tools = { workspaceId, environment: { OWN_KEY: plantedKey }, clock: () => noon };
      const engine = await judgeToAsk(store, ledger, 'own_api', tools);
      const judgement = { workspaceId, id: 'j', runId: 'r', subjects: [], question: 'Which?' };
      await claimJudgement(ledger, { judgement, engine, nowMs: noon });
    });
    await here.run('stance off --workspace acme');
    const later = await here.run(run, { clock: () => noon + 6 * 3_600_000 });
    expect([later.code, later.stderr]).toEqual([1, expect.stringContaining('has no judge')]);
    expect((await ledgerOf(here)).budgets).toMatchObject([
      { spent: 10_000, held: 0 },
      { spent: 10_000, held: 0 },
    ]);
  });

  test('the budget of the judge is never passed, and is not that of readings', async () => {
    // Each question reserves 1 cent and costs as much.
    const sends = (verdicts: object, question: string) => {
      const { json } = reply(verdicts, question);
      return { status: 200, json: { ...json, usage: { cost: 0.01 } } };
    };
    const here = await startJudging(await create(), named(9), { sends, dayUsd: 0.05 });
    await here.run('budget set --workspace acme --day 1 --month 1');
    expect(await result(here, run.replace('--at-once 1', '--at-once 8'))).toMatchObject({
      answers: 9,
      done: 5,
      left: 4,
      is_over_budget: true,
    });
    const { stderr } = await here.run('stance run --workspace acme');
    expect(stderr).toContain('Left to judge: 4 answers.');
    expect(stderr).toContain('The budget of the judge is used up');
    expect(here.asked).toHaveLength(5);
    expect((await ledgerOf(here)).budgets).toEqual([
      { period: 'stance 2026-11', spent: 50_000, held: 0 },
      { period: 'stance 2026-11-20', spent: 50_000, held: 0 },
    ]);
    const { stdout } = await here.run('budget show --workspace acme --json');
    expect(JSON.parse(stdout).periods[0]).toMatchObject({ spent_usd: 0, held_usd: 0 });
  });

  test("the operator's caps hold for judges", { tags: ['once'] }, async () => {
    const here = await startJudging(await create(), named(3));
    await here.run('budget cap --day 0.013');
    expect(await result(here)).toMatchObject({
      done: 2,
      left: 1,
      left_out: [expect.stringContaining("The operator's cap over all workspaces is used up")],
    });
    const cap = JSON.parse((await here.run('budget cap --json')).stdout).periods[0];
    expect(cap).toMatchObject({ spent_usd: 0.004, held_usd: 0 });
  });

  test(
    'an admin sets the budget of a judge up to what the operator allows',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), named(1));
      await withStore(here, async (store, workspaceId) => {
        const budget = { engine: 'own_api', sample: 3, isDaily: false };
        const set = (dayUsd: number) =>
          setStanceBudget(
            store,
            workspaceId,
            { ...budget, dayUsd, monthUsd: 2 },
            { isOperator: false },
          );
        await expect(set(1)).rejects.toMatchObject({ code: 'budget_missing' });
        await here.run('budget set --workspace acme --day 1 --month 2');
        expect(await set(0.5)).toBe(true);
        await expect(set(1.01)).rejects.toMatchObject({ code: 'budget_above_cap' });
      });
    },
  );

  test('a verdict that was paid for and not stored is stored by the next run, without a question', async () => {
    const here = await startJudging(await create(), named(2));
    await result(here);
    await withStore(here, async (store) => {
      await store.writer.deleteFrom('stances').execute();
      const ledger = await requireLedger(store);
      await ledger.db.updateTable('judgements').set({ handed_at: null }).execute();
    });
    expect(await result(here)).toMatchObject({ answers: 0, done: 0, judged: 2 });
    expect(await countRows(here)).toBe(2);
    expect(here.asked).toHaveLength(2);
  });

  test('a verdict of an earlier judge that comes late replaces nothing, and is read if that judge is chosen again', async () => {
    const here = await startJudging(await create(), named(2));
    await result(here);
    await here.run(here.engineLine.replace('own_api', 'second_api'));
    const set = 'stance set --workspace acme --day 1 --month 10 --engine';
    await here.run(`${set} second_api`);
    expect(await result(here)).toMatchObject({ done: 2, judged: 2 });
    await withStore(here, async (store) => {
      const { db } = await requireLedger(store);
      const ofFirst = db.updateTable('judgements').where('engine', '=', 'own_api');
      await ofFirst.set({ handed_at: null }).execute();
    });
    expect(await result(here)).toMatchObject({ answers: 0, judged: 0 });
    await here.run(`${set} own_api`);
    expect(await result(here)).toMatchObject({ done: 0, judged: 2 });
    expect(here.asked).toHaveLength(4);
  });

  test(
    'removed answers take their stances with them, and the same answers are not paid for again',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), named(2));
      await result(here);
      await here.run('answers remove --engine chatgpt --workspace acme --yes');
      expect(await countRows(here)).toBe(0);
      await here.run('answers import - --workspace acme', { stdin: answerRows(named(2)) });
      expect(await result(here)).toMatchObject({ done: 0, judged: 2 });
      expect(await countRows(here)).toBe(2);
      expect(here.asked).toHaveLength(2);
    },
  );

  test('a judge that was removed meanwhile is asked nothing more', { tags: ['once'] }, async () => {
    const here: Judging = await startJudging(await create(), named(3), {
      beforeReply: () => here.run('stance off --workspace acme'),
    });
    const { code, stderr } = await here.run(run);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The workspace has no judge')]);
    expect(here.asked).toHaveLength(1);
  });

  test('a workspace that is removed while its judge is asked costs the operator what the reply costs', async () => {
    const spent: unknown[] = [];
    const cap = async (here: Judging) =>
      JSON.parse((await here.run('budget cap --json')).stdout).periods[0];
    const here: Judging = await startJudging(await create(), named(1), {
      beforeReply: async () => {
        await withStore(here, (store, workspaceId) => removeWorkspace(store, workspaceId));
        spent.push(await cap(here));
      },
    });
    await here.run(run);
    spent.push(await cap(here));
    expect(spent).toMatchObject([
      { spent_usd: 0.01, held_usd: 0 },
      { spent_usd: 0.002, held_usd: 0 },
    ]);
  });

  test(
    'a reply that comes after its question was given up is stored, and charged at its cost',
    { tags: ['once'] },
    async () => {
      const later = () => noon + 3_600_000;
      const costs: number[] = [];
      const here: Judging = await startJudging(await create(), named(1), {
        beforeReply: async () => {
          await here.run(run, { clock: later });
          costs.push((await ledgerOf(here)).cost);
        },
      });
      await here.run(run);
      costs.push((await ledgerOf(here)).cost);
      expect(costs).toEqual([10_000, 2000]);
      expect(here.asked).toHaveLength(1);
      expect(await countRows(here)).toBe(1);
      expect((await ledgerOf(here)).budgets.map(({ spent, held }) => [spent, held])).toEqual([
        [2000, 0],
        [2000, 0],
      ]);
    },
  );

  test(
    'a refused question costs nothing, is asked again by later runs, three times in all, and then is void',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), named(1), {
        sends: () => ({ status: 400, json: { error: { code: 'invalid_value' } } }),
      });
      for (const isLast of [false, false, true]) {
        const ended = { failed: 1, cost_usd: 0, void: Number(isLast) };
        expect(await result(here)).toMatchObject({ answers: 1, ...ended });
      }
      expect(await result(here)).toMatchObject({ answers: 0, failed: 0 });
      expect(here.asked).toHaveLength(3);
    },
  );

  test(
    'a reply without a verdict is paid for once, and its rows are void',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), named(1), {
        sends: (_, question) => reply({ sorry: 'I cannot say.' }, question),
      });
      expect(await result(here)).toMatchObject({ done: 1, judged: 0, void: 1 });
      expect(await result(here)).toMatchObject({ answers: 0, done: 0 });
      expect(here.asked).toHaveLength(1);
    },
  );

  test(
    'a bound that is lower than the cost passes the budget once, and is raised',
    { tags: ['once'] },
    async () => {
      const sends = (verdicts: object, question: string) => {
        const { json } = reply(verdicts, question);
        return { status: 200, json: { ...json, usage: { cost: 0.02 } } };
      };
      const here = await startJudging(await create(), named(6), { sends, dayUsd: 0.05 });
      expect(await result(here)).toMatchObject({ done: 3, is_over_budget: true });
      const nextDay = () => noon + 86_400_000;
      expect(await result(here, run, nextDay)).toMatchObject({ done: 2, is_over_budget: true });
    },
  );

  test(
    'a ledger that was restored today judges nothing, and goes on the next day',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), named(1));
      await here.run('database restored');
      expect(await result(here)).toMatchObject({
        left: 1,
        left_out: [expect.stringContaining('nothing is judged today')],
      });
      expect(here.asked).toHaveLength(0);
      expect(await result(here, run, () => noon + 86_400_000)).toMatchObject({ done: 1, left: 0 });
    },
  );
});
