import { state, usage } from './define.ts';
import { dollars } from '../values/usd.ts';
import { thousands } from '../values/plural.ts';
import { byItsId, didYouMean, noSuch, noSuchHere, quote } from './quote.ts';

/** A filter that names nothing of the workspace, and what it could name. */
export interface UnknownFilter {
  readonly filter: 'engine' | 'locale' | 'host' | 'bot_name';
  readonly name: string;
  readonly nearest?: string | undefined;
  readonly names: readonly string[];
}

const filters: Readonly<Record<UnknownFilter['filter'], readonly [one: string, all: string]>> = {
  engine: ['run of the engine', 'engines'],
  locale: ['prompt of the locale', 'locales'],
  host: ['hit of the host', 'hosts'],
  bot_name: ['hit of the bot', 'bots'],
};

const namesMax = 8;

function listNames(names: readonly string[]): string {
  const others = names.length - namesMax;
  return `${names.slice(0, namesMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

export const answerRefusals = {
  action_not_found: state<{ id: string }>(({ id }) => [
    noSuchHere('action', id),
    byItsId(id, 'overheard actions list --workspace SLUG'),
  ]),
  run_not_found: state<{ word: string }>(({ word }) => [
    noSuchHere('run', word),
    byItsId(word, 'overheard answers list --workspace SLUG'),
  ]),
  run_without_answer: state<{ id: string }>(({ id }) => [
    `The run ${id} has no answer: only its detections were imported.`,
    'They are in: overheard export detections --workspace SLUG',
  ]),
  runs_too_many: usage<{ countMax: number }>(({ countMax }) => [
    `Too many runs at once. Give at most ${thousands(countMax)}.`,
  ]),
  score_not_found: state<{ date: string; engine: string; nearest?: string | undefined }>(
    ({ date, engine, nearest }) => [
      `There is neither a score nor a run of ${engine} on ${date}.`,
      didYouMean(nearest, '`overheard export scores --workspace SLUG` lists the scores.'),
    ],
  ),
  filter_unknown: state<UnknownFilter>(({ filter, name, nearest, names }) => {
    const [one, all] = filters[filter];
    const others = `Its ${all}: ${listNames(names)}.`;
    return [
      noSuchHere(one, name),
      nearest === undefined ? others : `${didYouMean(nearest, '')} ${others}`,
    ];
  }),
  action_moved: state<{ seen: string; before: string }>(({ seen, before }) => [
    `Someone else moved the action: it is ${before} now, no longer ${seen}.`,
    'Look at the action again before you move it.',
  ]),
  action_note_changed: state<{ note: string | null }>(({ note }) => [
    note === null
      ? 'Someone else has removed the note.'
      : `Someone else has changed the note. It is now: ${quote(note)}.`,
    'Look at the action again before you change its note.',
  ]),
  action_note_malformed: usage<{ lengthMax: number }>(({ lengthMax }) => [
    `A note must be well-formed text of at most ${lengthMax} characters, without control characters.`,
  ]),
  engine_key_missing: state<{ engine: string; variable: string }>(({ engine, variable }) => [
    `The key of ${engine} is missing: neither ${variable} nor ${variable}_FILE is set.`,
    'Set the first to the key or the second to a file that holds it, or name another variable with --key-variable.',
  ]),
  engine_not_found: state<{ engine: string; known: readonly string[] }>(({ engine, known }) => [
    noSuch('engine', engine),
    known.length === 0 ? 'See `overheard engine add --help`.' : `There is ${known.join(', ')}.`,
  ]),
  engine_key_malformed: state<{ variable: string }>(({ variable }) => [
    `The environment variable ${variable} does not hold a key: its value has blanks, or characters that no key has.`,
    'Set it to the key alone, on one line.',
  ]),
  engine_key_sealed: state<{ engine: string }>(({ engine }) => [
    `The stored key of ${engine} does not open here: it was stored under another secret, for another address, or is damaged.`,
    'Set OVERHEARD_SECRET to the secret under which it was stored, or paste the key again on the page Engines.',
  ]),
  secret_missing: state(() => [
    'This installation has no secret, under which keys of engines are stored.',
    'Set OVERHEARD_SECRET to a random text of 32 characters or more, the same for each server, and restart them.',
  ]),
  secret_short: state<{ lengthMin: number }>(({ lengthMin }) => [
    `OVERHEARD_SECRET or OVERHEARD_SECRET_BEFORE has fewer than ${lengthMin} characters.`,
    'Set it to a longer random text, for example that of `openssl rand -base64 32`.',
  ]),
  engine_missing: state(() => [
    'No engine that may be asked is set up.',
    'Set one up with `overheard engine add`; `overheard engine list` says why one is off.',
  ]),
  engine_name_malformed: usage(() => [
    "An engine's name is a lower-case slug that ends in _api, such as llama_api.",
    'The answers of an API differ from those of an app.',
  ]),
  engine_model_missing: usage<{ engine: string; kind: string | undefined }>(({ engine, kind }) =>
    kind === undefined
      ? [
          noSuch('engine', engine),
          'See `overheard engine list`; for a new one give --model and --base-url.',
        ]
      : [`${kind} has no model and address of its own: give --model and --base-url.`],
  ),
  engine_search_not_required: usage<{ engine: string; kinds: readonly string[] }>(
    ({ engine, kinds }) => [
      `The API of ${engine} cannot be told to search.`,
      `Leave out --search required: only ${kinds.join(' and ')} can.`,
    ],
  ),
  engine_variable_malformed: usage(() => [
    '--key-variable must be the name of an environment variable, such as OPENAI_API_KEY, and not the key.',
  ]),
  engine_address_malformed: usage<{ mayBePlain: boolean }>(({ mayBePlain }) => [
    `--base-url must be ${mayBePlain ? 'an http or https address' : 'an https address, because the key is sent to it'}, such as https://gateway.example.com/v1, without a password or a query.`,
  ]),
  engine_bound_zero: usage<{ engine: string }>(({ engine }) => [
    `--bound 0 would reserve no money for ${engine}, so no cap could stop it.`,
    'Give the most that one answer may cost, or leave --bound out.',
  ]),
  engine_bound_missing: state<{ engine: string; model: string }>(({ engine, model }) => [
    `The price of the model ${quote(model)}, or of its searches, is not known.`,
    `Give the most that one reading may cost, in US dollars: \`overheard engine add ${engine} --bound 0.05\` and its other options; 0 for a model of your own.`,
  ]),
  engine_cap_reached: state<{ engine: string }>(({ engine }) => [
    `The operator's cap of ${engine} is used up, or what is left of it is less than one question may cost.`,
    `Readings that are not asked today are missed. To raise it: \`overheard engine add ${engine} --cap-day USD --cap-month USD\`.`,
  ]),
  operator_cap_reached: state(() => [
    "The operator's cap over all workspaces is used up, or what is left of it is less than one question may cost.",
    'Readings that are not asked today are missed. To raise it: `overheard budget cap --day USD --month USD`.',
  ]),
  ledger_restored: state<{ restoredAt: string }>(({ restoredAt }) => [
    `The ledger was restored at ${restoredAt}. Sweeps of today that had begun before then may have been asked, so they are not asked again.`,
  ]),
  budget_missing: state(() => [
    'The workspace has no budget, so nothing is asked.',
    'Set one with `overheard budget set --workspace SLUG --day USD --month USD`.',
  ]),
  stance_judge_missing: state(() => [
    'The workspace has no judge, so no answer is judged.',
    'Set one with `overheard stance set --workspace SLUG --engine NAME --day USD --month USD`.',
  ]),
  stance_judge_off: state<{ engine: string }>(({ engine }) => [
    `The judge ${engine} is switched off.`,
    '`overheard engine list` says why.',
  ]),
  stance_judge_unreadable: state<{ engine: string }>(({ engine }) => [
    `Not one reply of ${engine} has a quote of the answer, so it is asked nothing more.`,
    'Choose a larger model, or another engine, with `overheard stance set`.',
  ]),
  stance_not_judged: state<{ runId: string; subjectId: string }>(({ runId, subjectId }) => [
    `Nothing is judged of the subject ${quote(subjectId)} in the run ${quote(runId)}.`,
    'Label what `overheard stance check --workspace SLUG --draw` lists.',
  ]),
  stance_ledger_restored: state<{ restoredAt: string }>(({ restoredAt }) => [
    `The ledger was restored at ${restoredAt} and does not know what was asked since its backup, so nothing is judged today.`,
    'From tomorrow, UTC, answers without a stance are judged.',
  ]),
  schedule_missing: state(() => [
    'The workspace has no schedule, so only a person asks.',
    'Set one with `overheard budget set --workspace SLUG --day USD --month USD`, or ask once with --now.',
  ]),
  budget_above_cap: state<{ dayCapUsd: number; monthCapUsd: number }>(
    ({ dayCapUsd, monthCapUsd }) => [
      `The operator allows at most ${dollars(dayCapUsd)} a day and ${dollars(monthCapUsd)} a month.`,
      'The operator raises it with `overheard budget set --workspace SLUG --day USD --month USD`.',
    ],
  ),
  prompt_not_found: state<{ prompt: string; nearest?: string | undefined }>(
    ({ prompt, nearest }) => [
      noSuchHere('prompt', prompt),
      didYouMean(nearest, 'See `overheard prompts list --workspace SLUG --json` for the ids.'),
    ],
  ),
  mapping_unreadable: state<{ path: string }>(({ path }) => [
    `The mapping file ${path} cannot be read.`,
  ]),
  mapping_malformed: state<{ path: string; at: string; fields: readonly string[] }>(
    ({ path, at, fields }) => [
      `The mapping file ${path} is not valid${at === '' ? '' : ` at ${at}`}.`,
      `It is JSON such as {"answer": "response_text", "engine": {"value": "chatgpt"}}; its fields are ${fields.join(', ')}.`,
    ],
  ),
};
