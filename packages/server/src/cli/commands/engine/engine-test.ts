import { completeSettings } from '../../../collect/complete-settings.ts';
import { engineFetches } from '../../../collect/ask/engine-fetch.ts';
import { listEngines } from '../../../collect/engine-settings.ts';
import { costOf } from '../../../collect/engines/cost.ts';
import type { Engine, EngineAnswer, EngineFault, Target } from '../../../collect/engines/engine.ts';
import { testEngine } from '../../../collect/test-engine.ts';
import { settings } from '../../../config.ts';
import { isRefusal } from '../../../refusals.ts';
import type { Store } from '../../../storage/store.ts';
import { canonicalTag, hasRegion } from '../../../values/language-tag.ts';
import { plural, thousands } from '../../../values/plural.ts';
import { defineCommand, word } from '../../define/define-command.ts';
import { parsedText, requiredText } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { withStore } from '../../define/with-store.ts';
import type { Io } from '../../terminal/io.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { engineHelp, engineOptions } from './engine-options.ts';

export const engineTestCommand = defineCommand({
  name: 'test',
  summary: 'ask an engine one question',
  description:
    'Asks an engine one question over its API, which costs what the API costs, and shows the answer, what it cites, the searches and the cost. Only the cost is stored, which counts against the caps of the operator.',
  arguments: { engine: word('an engine that was set up, or a kind such as chatgpt_api') },
  options: {
    prompt: requiredText('<text>', 'the question, which is sent unchanged'),
    locale: parsedText('<tag>', 'where it is asked, BCP 47 with its region (default: en-US)', {
      parse: (tag) => [canonicalTag(tag)].find((each) => each !== undefined && hasRegion(each)),
      expected: 'It must be a locale with its region such as de-DE.',
    }),
    ...engineOptions,
    priceFile: settings.priceFile,
    database: settings.database,
  },
  json: '{engine, outcome, text, sources, retrieved, searches, queries, model, tokens, response_id, answered_at, cost, fault}',
  help: engineHelp,
  examples: [
    'overheard engine test chatgpt_api --prompt "Which CRM suits a small agency?" --locale de-DE',
    'overheard engine test openai_compatible --base-url http://localhost:11434/v1 --model llama3.2 --prompt "Which CRM?"',
  ],
  run: async ({ io, progress }, { engine: name, prompt, locale = 'en-US', ...values }) => {
    const { mayReachPrivate = false } = io;
    const before = await ofStore(io, values.database, async ({ access }) =>
      (await listEngines(access)).find((each) => each.name === name),
    );
    const engineSettings = completeSettings(name, values, {
      before: before ?? {},
      mayBePlain: mayReachPrivate,
      now: new Date(io.clock()).toISOString(),
    });
    const { keyVariable } = engineSettings;
    const prices = await readPrices(values.priceFile, io);
    progress.update(() => `Asking ${name}`);
    const test = {
      settings: engineSettings,
      question: { text: prompt, locale },
      environment: io.environment ?? {},
      prices,
      clock: io.clock,
      signal: io.signal,
      fetchFor: engineFetches({ mayReachPrivate }),
    };
    const { engine, target, answer, cost } =
      (await ofStore(io, values.database, (store) => testEngine(store, test))) ??
      (await testEngine(undefined, test));
    const { reportedUsd: _, ...details } = answer;
    const { fault } = answer;
    return {
      json: { engine: name, ...details, cost: cost ?? null, fault: fault ?? null },
      text: answer.text.split('\n'),
      words: answerLines(engine, { answer, target }),
      failure:
        fault &&
        engineFaultWords(fault, { engine: name, keyVariable, host: new URL(target.baseUrl).host }),
    };
  },
});

/** Does `work` with the database; undefined if there is none yet. */
async function ofStore<Result>(
  { databaseClock: clock }: Io,
  database: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await withStore(database, work, clock === undefined ? {} : { clock });
  } catch (error) {
    if (isRefusal(error) && error.code === 'database_not_found') return undefined;
    throw error;
  }
}

function answerLines(
  engine: Engine,
  { answer, target }: { answer: EngineAnswer; target: Target },
): Lines {
  const { outcome, sources, retrieved, searches, queries, model, tokens, fault } = answer;
  if (fault !== undefined && tokens === null) return [];
  const cost = costOf(engine, answer);
  const price =
    cost?.basis === 'reported' ? 'as the engine reports it' : 'by its use and the price list';
  return [
    outcome !== 'answered' && `Outcome: ${outcome}.`,
    sources.length === 0 ? 'It cites no page.' : `It cites ${plural(sources.length, 'page')}:`,
    ...sources.map(
      ({ url, title }, place) => `  ${place + 1}. ${url}${title === undefined ? '' : `  ${title}`}`,
    ),
    retrieved.length > 0 && `It read ${plural(retrieved.length, 'page')}.`,
    !target.hasSearch && 'It was asked without a web search.',
    searches !== null &&
      `Searches: ${searches}${queries === null || queries.length === 0 ? '' : ` (${queries.map((query) => JSON.stringify(query)).join(', ')})`}.`,
    `Model: ${model ?? 'not named'}.`,
    tokens !== null && `Tokens: ${thousands(tokens.input)} in, ${thousands(tokens.output)} out.`,
    cost === undefined
      ? 'Cost: unknown, because the price of this model or of its searches is not known.'
      : `Cost: $${cost.usd.toFixed(6)}, ${price}.`,
  ];
}

/** Explains why an engine gave no answer to count, and what to do. */
function engineFaultWords(
  { kind, code = 'no code', waitMs = 0 }: EngineFault,
  { engine, keyVariable, host }: { engine: string; keyVariable: string; host: string },
): string {
  const wait = waitMs === 0 ? 'later' : `in ${plural(Math.ceil(waitMs / 1000), 'second')}`;
  const words = {
    unreached: `There is no connection to ${host} (${code}). ${unreachedAdvice(code)}`,
    wait: `${engine} is overloaded, or your limit is reached (${code}). Try again ${wait}.`,
    switch_off: `${engine} refuses the key or its account (${code}). Check the key in ${keyVariable}, its quota and its permissions.`,
    rejected: `${engine} rejects the request (${code}). Check --model and --base-url.`,
    unclear: `${engine} gave no complete response (${code}). The question may have been billed, so it is not sent again.`,
    unreadable: `${engine} gave a response in a form that this version of Overheard cannot read. Check --base-url, or upgrade.`,
    truncated: `The answer was cut off at a limit (${code}). Raise --output-tokens.`,
    unfinished: `${engine} paused, and then gave no answer (${code}). Allow fewer searches with --searches.`,
    failed: `${engine} says that it failed (${code}). It may have been billed.`,
  } as const satisfies Readonly<Record<EngineFault['kind'], string>>;
  return words[kind];
}

function unreachedAdvice(code: string): string {
  if (code === 'address_of_credentials') {
    return 'Clouds give out credentials at such an address (169.254.0.0/16, fe80::/10, fd00:ec2::254, 100.100.100.200): no engine may be there.';
  }
  return code === 'address_not_public'
    ? 'Its address is not a public one: only openai_compatible may be at such an address.'
    : 'Check the network and --base-url. Nothing was sent.';
}
