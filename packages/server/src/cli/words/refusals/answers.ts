import { dollars } from '../../../values/usd.ts';
import { quote } from './quote.ts';
import type { WordTable } from './word-table.ts';

export const answerWords = {
  action_not_found: ({ id }) => [
    `There is no action ${quote(id)} in this workspace.`,
    id.length < 4
      ? 'Give the first 4 characters of its id or more: see `overheard actions list --workspace SLUG`.'
      : 'See `overheard actions list --workspace SLUG`.',
  ],
  action_moved: ({ seen, before }) => [
    `The action is ${before} by now, no longer ${seen}: someone else moved it.`,
    'Look at it again before you move it.',
  ],
  engine_key_missing: ({ engine, variable }) => [
    `The key of ${engine} is missing: the environment variable ${variable} is not set.`,
    'Set it to the key, or name another variable with --key-variable.',
  ],
  engine_not_found: ({ engine, known }) => [
    `No engine ${quote(engine)} was set up.`,
    known.length === 0 ? 'See `overheard engine add --help`.' : `There is ${known.join(', ')}.`,
  ],
  engine_key_malformed: ({ variable }) => [
    `The environment variable ${variable} does not hold a key: its value has blanks, or characters that no key has.`,
    'Set it to the key alone, on one line.',
  ],
  engine_missing: () => [
    'No engine that may be asked is set up.',
    'Set one up with `overheard engine add`; `overheard engine list` says why one is off.',
  ],
  engine_bound_missing: ({ engine, model }) => [
    `The price of the model ${quote(model)}, or of its searches, is not known.`,
    `Give the most that one reading may cost, in US dollars: \`overheard engine add ${engine} --bound 0.05\` and its other options; 0 for a model of your own.`,
  ],
  engine_cap_reached: ({ engine }) => [
    `The operator's cap of ${engine} is used up, or what is left of it is less than one question may cost.`,
    `Readings that are not asked today are missed. To raise it: \`overheard engine add ${engine} --cap-day USD --cap-month USD\`.`,
  ],
  operator_cap_reached: () => [
    "The operator's cap over all workspaces is used up, or what is left of it is less than one question may cost.",
    'Readings that are not asked today are missed. To raise it: `overheard budget cap --day USD --month USD`.',
  ],
  budget_missing: () => [
    'The workspace has no budget, so nothing is asked.',
    'Set one with `overheard budget set --workspace SLUG --day USD --month USD`.',
  ],
  budget_above_cap: ({ dayCapUsd, monthCapUsd }) => [
    `The operator allows at most ${dollars(dayCapUsd)} a day and ${dollars(monthCapUsd)} a month.`,
    'The operator raises it with `overheard budget set --workspace SLUG --day USD --month USD`.',
  ],
  prompt_not_found: ({ id }) => [
    `The workspace has no prompt with the id ${quote(id)}.`,
    'To see the prompts with their ids: `overheard prompts list --workspace SLUG --json`.',
  ],
  mapping_unreadable: ({ path }) => [`The mapping file ${path} cannot be read.`],
  mapping_malformed: ({ path, at, fields }) => [
    `The mapping file ${path} is not valid${at === '' ? '' : ` at ${at}`}.`,
    `It is JSON such as {"answer": "response_text", "engine": {"value": "chatgpt"}}; its fields are ${fields.join(', ')}.`,
  ],
} as const satisfies Partial<WordTable>;
