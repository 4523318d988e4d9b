import { requireBudget, setAllowance, sweepsPerDay } from '../../../collect/ledger/budgets.ts';
import { readStanceBudget } from '../../../collect/stances/stance-budgets.ts';
import { readChosenEngines } from '../../../collect/ledger/paced-engines.ts';
import { requireLedger } from '../../../collect/ledger/require-ledger.ts';
import {
  everything,
  readOperatorBudget,
  setOperatorCaps,
} from '../../../collect/ledger/operator-budgets.ts';
import {
  defineGroup,
  defineStoreCommand,
  defineWorkspaceCommand,
} from '../../define/define-command.ts';
import { capOption, list, number, readCap, requiredUsd } from '../../define/options.ts';
import { timesADay } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';

const setCommand = defineWorkspaceCommand({
  name: 'set',
  summary: 'set the budget of a workspace, and how often it asks',
  description:
    'Sets the caps of a workspace in US dollars, for a UTC day and a UTC month. Before a question is sent, the most that it can cost is reserved. It is not sent if that would exceed a cap. An admin of the workspace may set a lower budget on the page Settings, Asking engines.',
  options: {
    day: requiredUsd('cap of a UTC day'),
    month: requiredUsd('cap of a UTC month'),
    sweeps: number('how often a day each prompt is asked on each engine', sweepsPerDay),
    engine: list('<name>', 'ask on this engine alone; all asks on every engine that is on'),
  },
  json: '{day_usd, month_usd, sweeps, engines}',
  examples: [
    'overheard budget set --workspace acme --day 5 --month 100',
    'overheard budget set --workspace acme --day 5 --month 100 \\',
    '    --engine chatgpt_api --engine perplexity_api',
  ],
  run: async ({ store, workspaceId }, { day: dayUsd, month: monthUsd, sweeps, engine }) => {
    const named = engine.length === 0 ? undefined : engine;
    const choice = engine.includes('all') ? null : named;
    const allowance = { dayUsd, monthUsd, sweeps, engines: choice };
    await setAllowance(store, workspaceId, allowance, { isOperator: true });
    const engines = await readChosenEngines(await requireLedger(store), workspaceId);
    return {
      json: { dayUsd, monthUsd, sweeps, engines },
      words: [
        engines !== null && `Asked are ${engines.join(', ')}, and no other engine.`,
        `At most ${dollars(dayUsd)} a day and ${dollars(monthUsd)} a month; each prompt is asked ${timesADay(sweeps)}.`,
        dayUsd > monthUsd &&
          `The cap of the month is lower than that of a day, so one day may use all of it.`,
      ],
    };
  },
});

const showCommand = defineWorkspaceCommand({
  name: 'show',
  summary: 'show the budget of a workspace, and what it has spent',
  description:
    'Shows the caps of the current UTC day and month, the amounts spent, and the amounts reserved for open readings; also those of the judge of `overheard stance`, if there is one.',
  json: '{sweeps, periods:[{period, cap_usd, spent_usd, held_usd}], judging:[...]}',
  examples: ['overheard budget show --workspace acme'],
  run: async ({ io, store, workspaceId }) => {
    const clock = await store.ledgerClock(io.clock);
    const ledger = await requireLedger(store);
    const { sweeps, periods: own } = await requireBudget(ledger, workspaceId, { clock });
    const judging = (await readStanceBudget(store, workspaceId, { clock }))?.periods ?? [];
    const periods = [
      ...own,
      ...judging.map((each) => ({ ...each, period: `${each.period} judging` })),
    ];
    return {
      json: { sweeps, periods: own, judging },
      table: {
        headings: ['PERIOD', 'CAP', 'SPENT', 'HELD'],
        none: '',
        rows: periods.map(({ period, capUsd, spentUsd, heldUsd }) => [
          period,
          ...[capUsd, spentUsd, heldUsd].map(dollars),
        ]),
      },
    };
  },
});

const capCommand = defineStoreCommand({
  name: 'cap',
  summary: 'limit what all workspaces together may spend',
  description:
    "Sets the operator's caps in US dollars over all workspaces and engines together, for a UTC day and a UTC month. No workspace can exceed them, and `overheard engine test` counts, too. Without an option it shows the caps, the amounts spent, and the amounts reserved for open questions. `overheard engine add` sets the caps of one engine.",
  options: { day: capOption('cap of a UTC day'), month: capOption('cap of a UTC month') },
  json: '{periods:[{period, cap_usd, spent_usd, held_usd}]}',
  examples: ['overheard budget cap --day 20 --month 400', 'overheard budget cap --day none'],
  run: async ({ io, store }, { day, month }) => {
    const caps = { dayUsd: readCap(day), monthUsd: readCap(month) };
    await setOperatorCaps(store, everything, caps);
    const clock = await store.ledgerClock(io.clock);
    const { periods } = await readOperatorBudget(await requireLedger(store), clock);
    return {
      json: { periods },
      table: {
        headings: ['PERIOD', 'CAP', 'SPENT', 'HELD'],
        none: '',
        rows: periods.map(({ period, capUsd, spentUsd, heldUsd }) => [
          period,
          capUsd === null ? 'none' : dollars(capUsd),
          ...[spentUsd, heldUsd].map(dollars),
        ]),
      },
    };
  },
});

export const budgetCommand = defineGroup({
  name: 'budget',
  summary: 'limit the cost of asking engines',
  description: 'Budgets: what a workspace may spend on asking engines, in US dollars.',
  commands: [setCommand, showCommand, capCommand],
});
