import { estimateCollecting } from '../../../collect/estimate-collecting.ts';
import type { EngineEstimate, Plan } from '../../../collect/estimate-collecting.ts';
import { settings } from '../../../config.ts';
import { plural, thousands } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { parsedText } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { dollars } from '../../../values/usd.ts';

const usualSweeps = [1, 3, 5];

export const collectEstimateCommand = defineWorkspaceCommand({
  name: 'estimate',
  summary: 'estimate the cost and the precision of asking',
  description:
    "Shows the cost of 1, 3 and 5 readings of each prompt per day on each engine, per day and per month of 30 days, and the precision of the brand's rate. Asks nothing and writes nothing.",
  options: {
    sweeps: parsedText('<number>', 'show only this number of readings of each prompt per day', {
      parse: (text) => (/^(?:[1-9]|1\d|2[0-4])$/.test(text) ? Number(text) : undefined),
      expected: 'It must be a whole number from 1 to 24.',
    }),
    priceFile: settings.priceFile,
  },
  json: '{prompts, is_on, engines:[{engine, basis, mean_usd, high_usd, search_part, plans:[...]}]}',
  examples: [
    'overheard collect estimate --workspace acme',
    'overheard collect estimate --workspace acme --sweeps 3 --json',
  ],
  run: async ({ io, store, workspaceId, slug }, { sweeps, priceFile }) => {
    const estimate = await estimateCollecting(store, workspaceId, {
      sweeps: sweeps === undefined ? usualSweeps : [sweeps],
      prices: await readPrices(priceFile, io),
      clock: await store.ledgerClock(io.clock),
    });
    const { prompts, isOn, engines } = estimate;
    const rows = engines.flatMap((engine) => engine.plans.map((plan) => ({ engine, plan })));
    return {
      json: estimate,
      table: tableOf(rows, '', {
        ENGINE: ({ engine }) => engine.engine,
        'A DAY': ({ plan }) => plan.sweeps,
        READINGS: ({ plan }) => thousands(plan.readingsMonth),
        'COST A DAY': ({ plan }) => range(plan.dayUsd, plan.dayHighUsd),
        'A MONTH': ({ plan }) => range(plan.monthUsd, plan.monthHighUsd),
        SEARCHES: ({ engine }) => percent(engine.searchPart),
        'BY DAY': ({ plan }) => points(plan.halfWidthDay),
        'BY WEEK': ({ plan }) => points(plan.halfWidthWeek),
      }),
      words: [
        prompts === 0 && 'The workspace has no active prompt, so nothing would be asked.',
        prompts > 0 &&
          (isOn
            ? `For ${plural(prompts, 'prompt')} that are switched on, in 30 days.`
            : `No prompt is switched on. This is for all ${plural(prompts, 'active prompt')}, in 30 days. Next: overheard prompts collect on --all --workspace ${slug}`),
        ...engines.map(basisWords),
        engines.length > 1 && totalWords(engines),
        "BY DAY and BY WEEK: the brand's rate for these prompts is within this many points of the figure (95 %). For other prompts like these it may differ by more, which only more prompts can reduce.",
      ],
    };
  },
});

const basisWordings = {
  ledger:
    'the last answers to this workspace, and the cost if each cost as much as the 90th percentile',
  prices: 'the price list and recorded answers, because the ledger has fewer than 20 answers',
  bound: 'the most that an answer may cost, because its usual cost is unknown',
} as const;

function basisWords({ engine, model, basis, spread }: EngineEstimate): string {
  const cost =
    basis === 'unknown'
      ? `its cost is unknown, so it is not asked without a bound: overheard engine add ${engine} --bound USD`
      : `cost by ${basisWordings[basis]}`;
  const interval = spread === 'own' ? 'interval by its own runs' : 'interval of a typical brand';
  return `${engine} (${model}): ${cost}; ${interval}.`;
}

/** All engines together, by readings a day. */
function totalWords(engines: readonly EngineEstimate[]): string {
  const plans = Map.groupBy(
    engines.flatMap((engine) => engine.plans),
    ({ sweeps }) => sweeps,
  );
  const totals = Array.from(plans, ([sweeps, of]) => {
    const cost = of.reduce((all, { monthUsd }) => all + (monthUsd ?? 0), 0);
    return `${dollars(cost)} for ${sweeps}`;
  });
  return `All engines a month, by readings a day: ${totals.join(', ')}.`;
}

function range(usd: Plan['dayUsd'], p90: Plan['dayHighUsd']): string | null {
  if (usd === null) return null;
  return p90 === null || p90 === usd ? dollars(usd) : `${dollars(usd)} to ${dollars(p90)}`;
}

function percent(part: number | null): string | null {
  return part === null ? null : `${Math.round(part * 100)} %`;
}

function points(half: number | null): string | null {
  return half === null ? null : `± ${(half * 100).toFixed(1)}`;
}
