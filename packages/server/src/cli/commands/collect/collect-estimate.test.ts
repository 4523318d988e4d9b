import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { answered, noon, startCollecting, status } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const run = 'collect run --workspace acme --now --at-once 1';
const hourMs = 3_600_000;

async function estimate(here: Collecting, engine = 'own_api'): Promise<unknown> {
  const { stdout } = await here.run('collect estimate --workspace acme --json');
  const { engines }: { engines: ReadonlyArray<{ engine: string }> } = JSON.parse(stdout);
  return engines.find((each) => each.engine === engine);
}

function answer(cost: number, content = 'Acme is good.'): { json: unknown } {
  const { json } = 'json' in answered ? answered : { json: {} };
  const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return { json: { ...Object(json), choices, usage: { cost } } };
}

eachDatabase('collect estimate', (create) => {
  test('before any answer, costs are of the price list with recorded answers, else of the bound', async () => {
    const here = await startCollecting(await create(), { prompts: 50 }, answered);
    await here.run('engine add chatgpt_api');
    expect(await estimate(here, 'chatgpt_api')).toMatchObject({
      basis: 'prices',
      mean_usd: 0.0166,
      high_usd: null,
      search_part: 0.9036,
      spread: 'usual',
      plans: [
        { sweeps: 1, readings_day: 50, readings_month: 1500, day_usd: 0.83, month_usd: 24.9 },
        { sweeps: 3, month_usd: 74.7, half_width_day: 0.0639, half_width_week: 0.0241 },
        { sweeps: 5, readings_month: 7500, month_usd: 124.5 },
      ],
    });
    expect(await estimate(here)).toMatchObject({ basis: 'bound', mean_usd: 0.01, high_usd: 0.01 });
    const { stdout, stderr } = await here.run('collect estimate --workspace acme --sweeps 3');
    expect(stdout).toMatch(/chatgpt_api +3 +4,500 +\$2\.49 +\$74\.70 +90 % +± 6\.4 +± 2\.4/);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain('All engines a month, by readings a day: $119.70 for 3.');
    // Nothing was asked, and nothing planned.
    expect(here.sent).toHaveLength(0);
    expect(await status(here)).toMatchObject({ readings: { planned: 0 }, cost_usd: 0 });
  });

  test(
    'from 20 answers on, costs are those of the ledger, until the engine is changed',
    { tags: ['long'] },
    async () => {
      const dear = [answer(0.004), answer(0.004), answer(0.004)];
      const here = await startCollecting(await create(), { prompts: 20 }, ...dear, answered);
      await here.run(run);
      expect(await estimate(here)).toMatchObject({
        basis: 'ledger',
        mean_usd: 0.0023,
        high_usd: 0.004,
        plans: [{ month_usd: 1.38, month_high_usd: 2.4 }, {}, {}],
      });
      await here.run(
        `engine add own_api --base-url ${here.baseUrl} --model larger --bound 0.5 --key-variable OWN_KEY`,
      );
      expect(await estimate(here)).toMatchObject({ basis: 'bound', mean_usd: 0.5 });
    },
  );

  test(
    'the interval is made from runs of the workspace, once prompts ran twice and differed',
    { tags: ['long'] },
    async () => {
      const named = Array.from({ length: 5 }, () => answer(0.002));
      const other = answer(0.002, 'Globex is good.');
      const here = await startCollecting(await create(), { prompts: 5 }, ...named, other);
      await here.run(run, { clock: () => noon - 8 * hourMs });
      expect(await estimate(here)).toMatchObject({ spread: 'usual' });
      await here.run(run, { clock: () => noon });
      expect(here.sent).toHaveLength(10);
      expect(await estimate(here)).toMatchObject({
        spread: 'own',
        // A variance of 0.5 within prompts: 1.96 * sqrt(0.5 / 5).
        plans: [{ half_width_day: 0.6198 }, {}, {}],
      });
    },
  );
});

test('25 readings a day are refused', async () => {
  const line = ['collect', 'estimate', '--workspace', 'acme', '--sweeps', '25'];
  expect(await runCommand(line)).toMatchObject({ code: 2 });
});
