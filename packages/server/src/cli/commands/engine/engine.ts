import { completeSettings } from '../../../collect/complete-settings.ts';
import {
  disableEngine,
  engineOfKind,
  listEngines,
  refuseEngineName,
  saveEngine,
  targetOf,
} from '../../../collect/engine-settings.ts';
import type { EngineSettings } from '../../../collect/engine-settings.ts';
import { bound, findPrice } from '../../../collect/engines/cost.ts';
import type { ModelPrice } from '../../../collect/engines/engine.ts';
import { withPrices } from '../../../collect/engines/prices.ts';
import type { Pricing } from '../../../collect/engines/prices.ts';
import { toUsd } from '../../../collect/ledger/micros.ts';
import { readOperatorBudget, setOperatorCaps } from '../../../collect/ledger/operator-caps.ts';
import type { OperatorBudget } from '../../../collect/ledger/operator-caps.ts';
import { requireLedger } from '../../../collect/ledger/require-ledger.ts';
import { restoredTodayWords } from '../../../collect/ledger/restored-today.ts';
import { readEngines, setLimits } from '../../../collect/ledger/paced-engines.ts';
import { defineGroup, defineStoreCommand, word } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { settings } from '../../../config.ts';
import { noteUse, readRestore } from '../../../storage/ledger-home.ts';
import { dollars as usdWords } from '../../../values/usd.ts';
import { Refusal } from '../../../refusals.ts';
import { capOptions, readCaps, readLimits, limitOptions } from './engine-limits.ts';
import { engineHelp, engineOptions } from './engine-options.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { engineTestCommand } from './engine-test.ts';

const addCommand = defineStoreCommand({
  name: 'add',
  summary: 'set an engine up, or change it',
  description:
    'Sets an engine up for all workspaces: its API, model, limits, and the name of the environment variable that holds its key. The same name again replaces the settings, with defaults for missing options. It enables a disabled engine. Its caps stay unless they are given.',
  arguments: { engine: word('its name, which ends in _api: chatgpt_api, llama_api') },
  options: {
    ...engineOptions,
    ...limitOptions,
    ...capOptions,
    priceFile: settings.priceFile,
  },
  json: '{engine}',
  help: engineHelp,
  examples: [
    'overheard engine add chatgpt_api',
    'overheard engine add llama_api --kind openai_compatible --base-url http://localhost:11434/v1 --model llama3.2',
  ],
  run: async ({ io, store }, { engine: name, ...values }) => {
    const engines = await listEngines(store.access);
    const before = engines.find((each) => each.name === name);
    // Keep an earlier consent if only the model changes.
    const { kind, termsAcceptedBy = null, termsAcceptedAt = null } = before ?? {};
    const now = new Date(io.clock()).toISOString();
    const engineSettings = completeSettings(name, values, {
      before: kind === undefined ? {} : { kind, termsAcceptedBy, termsAcceptedAt },
      mayBePlain: io.mayReachPrivate === true,
      now,
    });
    refuseEngineName(name);
    const { isOwn = false } = engineOfKind(engineSettings.kind);
    if (values.bound === 0 && !isOwn) throw new Refusal('engine_bound_zero', { engine: name });
    const pricing = { rows: await readPrices(values.priceFile, io), nowMs: io.clock() };
    const ownBound = boundOf(engineSettings, pricing);
    const clock = await store.ledgerClock(io.clock);
    const opened = await store.ledger();
    // Before the engine is on, because a worker may be waiting for it.
    if (opened !== undefined) await noteUse(opened, { at: new Date(clock()).toISOString() });
    await setOperatorCaps(store, name, readCaps(values));
    await setLimits(store, name, readLimits(values));
    await saveEngine(store.access, engineSettings, io.clock);
    const { restoredAt } = await readRestore(await requireLedger(store));

    const isUnset = !isOwn && (io.environment?.[engineSettings.keyVariable] ?? '') === '';
    return {
      json: { engine: { ...engineSettings, boundUsd: ownBound ?? null } },
      words: [
        `${before === undefined ? 'Added' : 'Changed'} ${name}: ${engineSettings.model} at ${engineSettings.baseUrl}.`,
        ...boundWords(values.bound ?? ownBound, isOwn),
        !targetOf(engineSettings).hasSearch && 'It does not search the web.',
        ...restoredTodayWords(restoredAt, clock()),
        isUnset &&
          `The environment variable ${engineSettings.keyVariable} is not set here. Set it to the key.`,
        `Next: overheard engine test ${name} --prompt "Which CRM suits a small agency?"`,
      ],
    };
  },
});

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the engines that were set up',
  description:
    'Lists the engines that were set up, with the names of their keys and never the keys.',
  options: { priceFile: settings.priceFile },
  json: '{engines:[...]}',
  examples: ['overheard engine list'],
  run: async ({ io, store }, { priceFile }) => {
    const pricing = { rows: await readPrices(priceFile, io), nowMs: io.clock() };
    const all = await listEngines(store.access);
    const ledger = await store.ledger();
    const paced = ledger === undefined ? [] : await readEngines(store, ledger, pricing);
    const clock = await store.ledgerClock(io.clock);
    const budgets = new Map<string, OperatorBudget>();
    for (const { name } of all) {
      if (ledger !== undefined) budgets.set(name, await readOperatorBudget(ledger, clock, name));
    }
    const paces = new Map(paced.map((each) => [each.name, each]));
    const boundUsd = (each: EngineSettings): number | undefined => {
      const micros = paces.get(each.name)?.boundMicros;
      return micros === undefined ? boundOf(each, pricing) : toUsd(micros);
    };
    return {
      json: {
        engines: all.map((each) => ({
          ...each,
          boundUsd: boundUsd(each) ?? null,
          priceChecked: priceOf(each, pricing)?.checked ?? null,
          operator: budgets.get(each.name) ?? null,
        })),
      },
      table: tableOf(
        all,
        {
          ENGINE: ({ name }) => name,
          KIND: ({ kind }) => kind,
          MODEL: ({ model }) => model,
          ADDRESS: ({ baseUrl }) => baseUrl,
          KEY: ({ keyVariable }) =>
            (io.environment?.[keyVariable] ?? '') === '' ? `${keyVariable} (not set)` : keyVariable,
          SEARCH: (each) => (targetOf(each).hasSearch ? 'yes' : 'no'),
          'ANSWER UP TO': (each) => dollars(boundUsd(each)),
          'PRICE OF': (each) => priceOf(each, pricing)?.checked,
          CAPS: ({ name }) => capWords(budgets.get(name)),
          SPENT: ({ name }) => periodWords(budgets.get(name), ({ spentUsd }) => spentUsd),
          HELD: ({ name }) => periodWords(budgets.get(name), ({ heldUsd }) => heldUsd),
          STATE: ({ name, disabledAt }) =>
            disabledAt === null ? (paces.get(name)?.offReason ?? 'enabled') : 'disabled',
        },
        'No engine was set up. Next: overheard engine add chatgpt_api',
      ),
    };
  },
});

const disableCommand = defineStoreCommand({
  name: 'disable',
  summary: 'stop asking an engine',
  description:
    'Disables an engine: it is not asked from now on, and its settings stay. `overheard engine add` enables it again.',
  arguments: { engine: word('its name') },
  json: '{engine}',
  examples: ['overheard engine disable chatgpt_api'],
  run: async ({ io, store }, { engine }) => {
    await disableEngine(store.access, engine, io.clock);
    return { json: { engine }, words: `Disabled ${engine}.` };
  },
});

/**
 * The most that one answer may cost; undefined if the price of the model or of its searches is
 * unknown.
 */
function boundOf(engineSettings: EngineSettings, pricing: Pricing): number | undefined {
  return bound(
    withPrices(engineOfKind(engineSettings.kind), engineSettings.name, pricing),
    targetOf(engineSettings),
  );
}

/** The price by which an engine's answers are computed; undefined if the list has none. */
function priceOf(engineSettings: EngineSettings, pricing: Pricing): ModelPrice | undefined {
  const { kind, name, model } = engineSettings;
  return findPrice(withPrices(engineOfKind(kind), name, pricing).prices, model);
}

function capWords({ periods = [], openMax = null }: Partial<OperatorBudget> = {}): string | null {
  const caps = periods.map(({ capUsd }, place) =>
    capUsd === null ? [] : `${usdWords(capUsd)} a ${place === 0 ? 'day' : 'month'}`,
  );
  const words = [...caps.flat(), ...(openMax === null ? [] : [`${openMax} at once`])];
  return words.length === 0 ? null : words.join(', ');
}

/** Amounts of the current UTC day and month: `$0.01 today, $0.20 this month`. */
function periodWords(
  budget: OperatorBudget | undefined,
  usd: (period: OperatorBudget['periods'][number]) => number,
): string | null {
  const [day, month] = (budget?.periods ?? []).map((period) => usdWords(usd(period)));
  return day === undefined || month === undefined ? null : `${day} today, ${month} this month`;
}

function boundWords(usd: number | undefined, isOwn: boolean): string[] {
  if (usd === 0) return ['Its answers count as free.'];
  if (usd !== undefined) return [`One answer costs up to about ${dollars(usd)} with these limits.`];
  return [
    'The cost of one answer is unknown, because the price list has no price of this model or of its searches.',
    `It is not asked until you give it a --bound${isOwn ? ', which is 0 for a model on a machine of your own' : ''}.`,
  ];
}

function dollars(usd: number | undefined): string | null {
  return usd === undefined ? null : `$${usd.toFixed(2)}`;
}

export const engineCommand = defineGroup({
  name: 'engine',
  summary: 'set up answer engines, and ask them over their APIs',
  description:
    'Engines: the official APIs of answer engines, set up by the operator for all workspaces. Their answers differ from those of the apps, so their names end in _api.',
  commands: [addCommand, engineTestCommand, listCommand, disableCommand],
});
