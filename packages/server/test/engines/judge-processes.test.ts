import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spawnCommand } from '../commands/spawn-command.ts';
import { eachDatabase } from '../stores/stores.ts';
import { plantedKey } from './collecting.ts';
import { countRows, ledgerOf, named, reply, startJudging } from './judging.ts';

eachDatabase('judging in processes that are killed', (create) => {
  test('processes that are killed bill no answer twice, pass no budget, and leave nothing held', async () => {
    const billed = new Map<string, number>();
    const here = await startJudging(await create(), named(36), {
      dayUsd: 0.3,
      engineFlags: '--bound 0.01 --timeout 1',
      sends: (verdicts, question) => {
        billed.set(question, (billed.get(question) ?? 0) + 1);
        const { json } = reply(verdicts, question);
        return { status: 200, json: { ...json, usage: { cost: 0.01 } } };
      },
      beforeReply: () => setTimeout(40),
    });
    const line = `stance run --workspace acme --at-once 2 --database ${here.url}`.split(' ');
    const start = () => spawnCommand(line, { env: { OWN_KEY: plantedKey } });
    for (let kills = 0; kills < 3; kills += 1) {
      const before = billed.size;
      const processes = [start(), start()];
      await expect.poll(() => billed.size, { timeout: 20_000 }).toBeGreaterThan(before + 2);
      for (const { child } of processes) child.kill('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
    }
    // The leases of those that were killed end after twice their time.
    await setTimeout(2500);
    await start().ended;
    await start().ended;
    expect(Math.max(...billed.values())).toBe(1);
    const { states, cost, budgets } = await ledgerOf(here);
    expect(new Set(states)).toEqual(new Set(['done', 'unknown']));
    expect(states).toHaveLength(30);
    expect(cost).toBe(300_000);
    expect(budgets.map(({ spent, held }) => [spent, held])).toEqual([
      [300_000, 0],
      [300_000, 0],
    ]);
    expect(await countRows(here)).toBe(states.length);
  });
});
