import {
  readStanceBudget,
  removeStanceBudget,
  setStanceBudget,
  usualSample,
} from '../../../collect/stances/stance-budgets.ts';
import { estimateStances } from '../../../collect/stances/estimate-stances.ts';
import type { StanceEstimate } from '../../../collect/stances/estimate-stances.ts';
import { settings } from '../../../config.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { defineGroup, defineWorkspaceCommand } from '../../define/define-command.ts';
import { choice, parsedText, requiredText, requiredUsd, text } from '../../define/options.ts';
import { stanceCheckCommand } from './stance-check.ts';
import { stanceListCommand } from './stance-list.ts';
import { stanceRunCommand } from './stance-run.ts';

const sample = parsedText('<number>', 'answers of each prompt, engine and week; all judges all', {
  parse: (typed) => {
    if (typed === 'all') return { size: null };
    return /^[1-9]\d{0,2}$/.test(typed) ? { size: Number(typed) } : undefined;
  },
  expected: 'It must be a whole number from 1 to 999, or all.',
});

const setCommand = defineWorkspaceCommand({
  name: 'set',
  summary: 'choose the engine that judges answers, and its budget',
  description:
    'Sets the engine that judges how answers present the brand and its competitors, and its caps in US dollars for a UTC day and a UTC month. This budget is not part of `overheard budget`. Parts of your answers are sent to this engine. Without --sample and --daily these stay as they are. Nothing is judged before `overheard stance run`, or with --daily on by `overheard serve`.',
  options: {
    engine: requiredText('<name>', 'the engine that judges, asked without a web search'),
    day: requiredUsd('cap of a UTC day'),
    month: requiredUsd('cap of a UTC month'),
    sample,
    daily: choice('<switch>', ['on', 'off'], 'let `overheard serve` judge new answers every day'),
  },
  json: '{engine, day_usd, month_usd, sample, is_daily}',
  examples: [
    'overheard stance set --workspace acme --engine mistral_api --day 1 --month 10',
    'overheard stance set --workspace acme --engine mistral_api --day 1 --month 10 --daily on',
  ],
  run: async ({ io, store, workspaceId, slug }, values) => {
    const { engine, day: dayUsd, month: monthUsd } = values;
    const before = await readStanceBudget(store, workspaceId, { clock: io.clock });
    const stanceBudget = {
      engine,
      dayUsd,
      monthUsd,
      sample: (values.sample ?? { size: before === undefined ? usualSample : before.sample }).size,
      isDaily: values.daily === undefined ? before?.isDaily === true : values.daily === 'on',
    };
    await setStanceBudget(store, workspaceId, stanceBudget, { isOperator: true });
    return {
      json: stanceBudget,
      words: [
        `${engine} judges ${sampleWords(stanceBudget.sample)}, for at most ${dollars(dayUsd)} a day and ${dollars(monthUsd)} a month.`,
        stanceBudget.isDaily && '`overheard serve` judges new answers every day.',
        before !== undefined &&
          before.engine !== engine &&
          `Answers that ${before.engine} has judged are judged again, because figures never mix two judges.`,
        `See what it costs: overheard stance estimate --workspace ${slug}`,
      ],
    };
  },
});

function sampleWords(size: number | null): string {
  return size === null
    ? 'every answer that cites the brand or a competitor'
    : `${size === 1 ? 'the first answer' : `the first ${size} answers`} of each prompt, engine and week`;
}

const offCommand = defineWorkspaceCommand({
  name: 'off',
  summary: 'judge no more answers',
  description:
    'Removes the judge of a workspace and its budget. What it has judged and spent stays.',
  json: '{has_changed}',
  examples: ['overheard stance off --workspace acme'],
  run: async ({ store, workspaceId }) => {
    const hasChanged = await removeStanceBudget(store, workspaceId);
    return {
      json: { hasChanged },
      words: [hasChanged ? 'No more answers are judged.' : 'The workspace had no judge.'],
    };
  },
});

const estimateCommand = defineWorkspaceCommand({
  name: 'estimate',
  summary: 'estimate the cost of judging answers',
  description:
    'Shows how many answers of the last 28 days are not judged yet, and what judging them would cost. Asks nothing and writes nothing.',
  options: {
    engine: text('<name>', 'another judge than the one that is set'),
    sample,
    priceFile: settings.priceFile,
  },
  json: '{engine, model, sample, from, to, answers, questions, subjects, input_tokens, output_tokens, basis, usd}',
  examples: [
    'overheard stance estimate --workspace acme',
    'overheard stance estimate --workspace acme --engine mistral_api --sample all',
  ],
  run: async ({ io, store, workspaceId, slug }, values) => {
    const clock = await store.ledgerClock(io.clock);
    const estimate = await estimateStances(store, workspaceId, {
      engine: values.engine,
      sample: values.sample?.size,
      prices: await readPrices(values.priceFile, io),
      clock,
    });
    const budget = await readStanceBudget(store, workspaceId, { clock });
    const [day, month] = budget?.periods ?? [];
    return {
      json: estimate,
      words: [
        estimate.answers === 0
          ? `No answer from ${estimate.from} to ${estimate.to} is left to judge.`
          : `Left to judge from ${estimate.from} to ${estimate.to}: ${amount(estimate.answers, 'answer')}, by ${amount(estimate.questions, 'question')} about ${amount(estimate.subjects, 'subject')}. The sample: ${sampleWords(estimate.sample)}.`,
        estimate.questions > 0 && costWords(estimate),
        day &&
          month &&
          `Spent on judging: ${dollars(day.spentUsd)} of ${dollars(day.capUsd)} today, ${dollars(month.spentUsd)} of ${dollars(month.capUsd)} this month.`,
        budget === undefined &&
          `No judge is set. Next: overheard stance set --workspace ${slug} --engine ${estimate.engine} --day USD --month USD`,
      ],
    };
  },
});

const basisWords = {
  ledger: 'the mean of the last judgements',
  prices: `the price list, at 4 characters a token. A model that thinks costs more`,
  bound: 'the most that each question may cost, because its price is unknown',
  unknown: '',
} as const;

function costWords({ engine, model, basis, usd, ...tokens }: StanceEstimate): string {
  if (usd === null) {
    return `The cost of ${engine} (${model}) is unknown, so it is not asked without a bound: overheard engine add ${engine} --bound USD`;
  }
  const { inputTokens, outputTokens } = tokens;
  return `${engine} (${model}) would cost about ${dollars(usd)} for ${thousands(inputTokens)} tokens read and ${thousands(outputTokens)} written: by ${basisWords[basis]}.`;
}

export const stanceCommand = defineGroup({
  name: 'stance',
  summary: 'judge how answers present the brand and its competitors',
  description:
    'Stance: whether an answer recommends a brand, only names it, or warns against it, as an engine of yours judges.',
  commands: [
    setCommand,
    offCommand,
    estimateCommand,
    stanceRunCommand,
    stanceListCommand,
    stanceCheckCommand,
  ],
});
