import { completeSettings } from '../../../collect/complete-settings.ts';
import {
  disableEngine,
  engineOfKind,
  listEngines,
  refuseEngineName,
  targetOf,
} from '../../../collect/engine-settings.ts';
import { boundOfEngine, reportEngines } from '../../../collect/engine-report.ts';
import type { OperatorBudget } from '../../../collect/ledger/operator-budgets.ts';
import { rekeyEngines } from '../../../collect/keys/rekey.ts';
import { hasSecretVariable } from '../../../collect/keys/secret-variable.ts';
import { restoredTodayWords } from '../../../collect/ledger/restored-today.ts';
import { defineGroup, defineStoreCommand, word } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { settings } from '../../../config.ts';
import { setUpEngine } from '../../../collect/set-up-engine.ts';
import { plural } from '../../../values/plural.ts';
import { dollars as usdWords } from '../../../values/usd.ts';
import { Refusal } from '../../../refusals.ts';
import { engineHelp, engineOptions } from './engine-options.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { engineTestCommand } from './engine-test.ts';
import { usualLimits } from '../../../collect/ledger/paced-engines.ts';
import { capOption, number, parsedText, readCap, usdOption } from '../../define/options.ts';

/** Limits of how fast `collect run` asks an engine, and of the cost. */
const limitOptions = {
  timeout: number('seconds that `collect run` waits for one answer', {
    min: 1,
    max: 600,
    initial: usualLimits.timeoutMs / 1000,
  }),
  perMinute: number('questions a minute, over all processes', {
    min: 1,
    max: 60_000,
    initial: 60_000 / usualLimits.gapMs,
  }),
  bound: usdOption('the most that one reading may cost (default: from prices and limits)'),
};

/** The operator's caps of an engine over all workspaces. */
const capOptions = {
  capDay: capOption('cap of a UTC day over all workspaces'),
  capMonth: capOption('cap of a UTC month over all workspaces'),
  atOnce: parsedText(
    '<number>',
    'questions open at once, over all processes; none removes the limit',
    {
      parse: (text) =>
        text === 'none' ? text : /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined,
      expected: 'It must be a whole number from 1 to 9999, or none.',
    },
  ),
};

const addCommand = defineStoreCommand({
  name: 'add',
  summary: 'set an engine up, or change it',
  description:
    'Sets an engine up for all workspaces: its API, model, limits, and the name of the environment variable that holds its key. The same name again replaces the settings, with defaults for missing options. It enables a disabled engine. Its caps stay unless they are given.',
  arguments: { engine: word('its name, which ends in _api: chatgpt_api, llama_local_api') },
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
    'overheard engine add chatgpt_api --search required',
    'overheard engine add llama_local_api --kind openai_compatible --base-url http://localhost:11434/v1 --model llama3.2',
  ],
  run: async ({ io, store }, { engine: name, ...values }) => {
    const engines = await listEngines(store.access);
    const before = engines.find((each) => each.name === name);
    // Keep an earlier consent if only the model changes, and whether it searches: answers with another
    // search are another cohort.
    const { kind, hasSearch = true, requiresSearch = false } = before ?? {};
    const { termsAcceptedBy = null, termsAcceptedAt = null } = before ?? {};
    const now = new Date(io.clock()).toISOString();
    const engineSettings = completeSettings(name, values, {
      before:
        kind === undefined
          ? {}
          : { kind, hasSearch, requiresSearch, termsAcceptedBy, termsAcceptedAt },
      mayBePlain: io.mayReachPrivate === true,
      now,
    });
    refuseEngineName(name);
    const { isOwn = false } = engineOfKind(engineSettings.kind);
    if (values.bound === 0 && !isOwn) throw new Refusal('engine_bound_zero', { engine: name });
    const pricing = { rows: await readPrices(values.priceFile, io), nowMs: io.clock() };
    const ownBound = boundOfEngine(engineSettings, pricing);
    const { restoredAt, nowMs } = await setUpEngine(store, {
      settings: engineSettings,
      limits: {
        timeoutMs: values.timeout * 1000,
        gapMs: Math.round(60_000 / values.perMinute),
        boundUsd: values.bound ?? null,
      },
      caps: {
        dayUsd: readCap(values.capDay),
        monthUsd: readCap(values.capMonth),
        openMax: readCap(values.atOnce),
      },
      clock: io.clock,
    });
    const added = (await listEngines(store.access)).find((each) => each.name === name);
    const hasKey = isOwn || (added?.keyTail ?? null) !== null;
    const isUnset = !hasKey && !hasSecretVariable(io.environment, engineSettings.keyVariable);
    return {
      json: {
        engine: {
          ...engineSettings,
          keyTail: added?.keyTail ?? null,
          boundUsd: ownBound ?? null,
        },
      },
      words: [
        `${before === undefined ? 'Added' : 'Changed'} ${name}: ${engineSettings.model} at ${engineSettings.baseUrl}.`,
        ...boundWords(values.bound ?? ownBound, isOwn),
        !targetOf(engineSettings).hasSearch && 'It does not search the web.',
        engineSettings.requiresSearch &&
          'It must search before each answer. Its answers are not compared with those for which it chose.',
        ...restoredTodayWords(restoredAt, nowMs),
        isUnset &&
          `The environment variable ${engineSettings.keyVariable} is not set here. Set it to the key, or ${engineSettings.keyVariable}_FILE to a file that holds it.`,
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
    const all = await reportEngines(store, pricing, io.clock);
    return {
      json: { engines: all.map(({ offReason: _, ...each }) => each) },
      table: tableOf(all, 'No engine was set up. Next: overheard engine add chatgpt_api', {
        ENGINE: ({ name }) => name,
        KIND: ({ kind }) => kind,
        MODEL: ({ model }) => model,
        ADDRESS: ({ baseUrl }) => baseUrl,
        KEY: ({ keyVariable, keyTail }) =>
          keyTail !== null
            ? `pasted, ends in ${keyTail}`
            : !hasSecretVariable(io.environment, keyVariable)
              ? `${keyVariable} (not set)`
              : keyVariable,
        SEARCH: (each) =>
          !targetOf(each).hasSearch ? 'no' : each.requiresSearch ? 'always' : 'yes',
        'ANSWER UP TO': ({ boundUsd }) => dollars(boundUsd),
        'PRICE OF': ({ priceChecked }) => priceChecked,
        CAPS: ({ operator }) => capWords(operator ?? undefined),
        SPENT: ({ operator }) => periodWords(operator, ({ spentUsd }) => spentUsd),
        HELD: ({ operator }) => periodWords(operator, ({ heldUsd }) => heldUsd),
        STATE: ({ offReason }) => offReason ?? 'enabled',
      }),
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

const rekeyCommand = defineStoreCommand({
  name: 'rekey',
  summary: 'store the pasted keys under another secret',
  description:
    'Encrypts every pasted key again, under OVERHEARD_SECRET or the file beside an embedded database. OVERHEARD_SECRET_BEFORE is the secret under which they were stored. Servers open keys of both while both are set.',
  options: {},
  json: '{engines}',
  examples: ['overheard engine rekey'],
  run: async ({ io, store }) => {
    const count = await rekeyEngines(store, io.environment ?? {});
    return { json: { engines: count }, words: `Stored ${plural(count, 'key')} again.` };
  },
});

function capWords({ periods = [], openMax = null }: Partial<OperatorBudget> = {}): string | null {
  const caps = periods.map(({ capUsd }, place) =>
    capUsd === null ? [] : `${usdWords(capUsd)} a ${place === 0 ? 'day' : 'month'}`,
  );
  const words = [...caps.flat(), ...(openMax === null ? [] : [`${openMax} at once`])];
  return words.length === 0 ? null : words.join(', ');
}

/** Amounts of the current UTC day and month: `$0.01 today, $0.20 this month`. */
function periodWords(
  budget: OperatorBudget | null,
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

function dollars(usd: number | null): string | null {
  return usd === null ? null : `$${usd.toFixed(2)}`;
}

export const engineCommand = defineGroup({
  name: 'engine',
  summary: 'set up answer engines, and ask them over their APIs',
  description:
    'Engines: the official APIs of answer engines, set up by the operator for all workspaces. Their answers differ from those of the apps, so their names end in _api.',
  commands: [addCommand, engineTestCommand, listCommand, disableCommand, rekeyCommand],
});
