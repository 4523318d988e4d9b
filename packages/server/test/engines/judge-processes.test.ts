import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnCommand } from '../commands/spawn-command.ts';
import { eachDatabase } from '../stores/stores.ts';
import { plantedKey } from './collecting.ts';
import { countRows, ledgerOf, named, reply, startJudging } from './judging.ts';

eachDatabase('judging in processes that are killed', (create) => {
  test('processes that are killed bill no answer twice, pass no budget, and leave nothing held', async () => {
    const billed = new Map<string, number>();
    let waiting = 0;
    const here = await startJudging(await create(), named(16), {
      dayUsd: 0.12,
      engineFlags: '--bound 0.01 --timeout 1',
      sends: (verdicts, question) => {
        billed.set(question, (billed.get(question) ?? 0) + 1);
        const { json } = reply(verdicts, question);
        return { status: 200, json: { ...json, usage: { cost: 0.01 } } };
      },
      beforeReply: async () => {
        waiting += 1;
        await setTimeout(60);
        waiting -= 1;
      },
    });
    const line = `stance run --workspace acme --at-once 2 --database ${here.url}`.split(' ');
    const start = () => spawnCommand(line, { env: { OWN_KEY: plantedKey } });
    const processes = [start(), start()];
    const isBetween = () => billed.size > 2 && waiting > 0;
    await expect.poll(isBetween, { interval: 5 }).toBe(true);
    for (const { child } of processes) child.kill('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
    // The leases of those that were killed end after twice their time.
    await setTimeout(2500);
    await Promise.all([start().ended, start().ended]);
    expect(Math.max(...billed.values())).toBe(1);
    const { states, cost, budgets } = await ledgerOf(here);
    expect(new Set(states)).toEqual(new Set(['done', 'unknown']));
    expect(states).toHaveLength(12);
    expect(cost).toBe(120_000);
    expect(budgets.map(({ spent, held }) => [spent, held])).toEqual([
      [120_000, 0],
      [120_000, 0],
    ]);
    expect(await countRows(here)).toBe(states.length);
  });
});
