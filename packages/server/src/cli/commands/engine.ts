import { askEngine, readKey } from '../../collect/ask/ask-engine.ts';
import { createEngineFetch } from '../../collect/ask/engine-fetch.ts';
import { costOf } from '../../collect/engines/cost.ts';
import type { Engine, EngineAnswer, Target } from '../../collect/engines/engine.ts';
import { engines } from '../../collect/engines/engines.ts';
import { canonicalTag, hasRegion } from '../../values/language-tag.ts';
import { plural, thousands } from '../../values/plural.ts';
import { defineCommand, defineGroup, word } from '../define/define-command.ts';
import type { Given } from '../define/define-command.ts';
import { flag, number, parsed, requiredText, text } from '../define/options.ts';
import type { Lines } from '../define/output.ts';
import { UsageError } from '../terminal/command-error.ts';
import { engineFaultWords } from '../words/engine-fault-words.ts';

const targetOptions = {
  model: text('<name>', "the engine's model (default: see below)"),
  baseUrl: text('<url>', "address of its API (default: the vendor's)"),
  keyVariable: text('<name>', 'environment variable that holds its key (default: see below)'),
  noSearch: flag('do not let it search the web'),
  acceptGroundingTerms: flag(
    "let gemini_api search: you accept Google's terms for grounding with Google Search",
  ),
  searches: number('searches of one answer, at most, where the engine takes a limit', {
    min: 1,
    max: 50,
    initial: 3,
  }),
  outputTokens: number('tokens of one answer, at most, thoughts included', {
    min: 16,
    max: 1_000_000,
    initial: 8000,
  }),
};

const help = `
Engines, their models and the variables of their keys:
${engines
  .map(({ slug, defaults: { model = '--model and --base-url', keyVariable } }) =>
    [`  ${slug.padEnd(18)}`, model.padEnd(23), keyVariable].join(' '),
  )
  .join('\n')}

The key is read from the environment, and printed and stored nowhere. openai_compatible is any server that
speaks Chat Completions, such as Ollama or vLLM: only it may be at an address that is not public, and needs
no key. Gemini searches only if you accept Google's terms, which say that its search results are not to be
stored and analysed; without search it is asked all the same.`;

const testCommand = defineCommand({
  name: 'test',
  summary: 'ask an engine one question',
  description:
    'Asks an engine one question over its API, which costs what the API costs, and shows the answer, what it cites, the searches and the cost. Nothing is stored.',
  arguments: { engine: { ...word('the engine'), choices: engines.map(({ slug }) => slug) } },
  options: {
    prompt: requiredText('<text>', 'what to ask: it is sent as it is, with nothing added'),
    locale: parsed('<tag>', 'where it is asked, BCP 47 with its region (default: en-US)', {
      parse: (tag) => [canonicalTag(tag)].find((each) => each !== undefined && hasRegion(each)),
      expected: 'It must be a locale with its region such as de-DE.',
    }),
    ...targetOptions,
  },
  json: '{engine, outcome, text, sources, retrieved, searches, queries, model, tokens, response_id, answered_at, cost, fault}',
  help,
  examples: [
    'overheard engine test chatgpt_api --prompt "Which CRM suits a small agency?" --locale de-DE',
    'overheard engine test openai_compatible --base-url http://localhost:11434/v1 --model llama3.2 --prompt "Which CRM?"',
  ],
  run: async ({ io, progress }, { engine: slug, prompt, locale = 'en-US', ...given }) => {
    const engine = findEngine(slug);
    const { mayReachPrivate = false } = io;
    const target = toTarget(engine, given, { mayBePlain: mayReachPrivate });
    const { keyVariable = engine.defaults.keyVariable } = given;
    const key = readKey(io.environment ?? {}, engine, keyVariable);
    progress.update(() => `Asking ${slug}`);
    const { answer } = await askEngine(engine, {
      question: { text: prompt, locale },
      target,
      key,
      fetch: createEngineFetch({ mayReachPrivate: mayReachPrivate || engine.isOwn === true }),
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { reportedUsd: _, ...shown } = answer;
    const cost = costOf(engine, answer) ?? null;
    const { fault } = answer;
    return {
      json: { engine: slug, ...shown, cost, fault: fault ?? null },
      text: answer.text.split('\n'),
      words: answerLines(engine, { answer, target }),
      failure:
        fault &&
        engineFaultWords(fault, { engine: slug, keyVariable, host: new URL(target.baseUrl).host }),
    };
  },
});

/** Models that think search for minutes. */
const timeoutMs = 600_000;

function findEngine(slug: string): Engine {
  const engine = engines.find((each) => each.slug === slug);
  if (engine === undefined) throw new TypeError('The argument has been checked');
  return engine;
}

function toTarget(
  { slug, defaults, isOwn = false, hasSearchTerms = false }: Engine,
  given: Given<typeof targetOptions>,
  { mayBePlain }: { mayBePlain: boolean },
): Target {
  const { model = defaults.model, baseUrl = defaults.baseUrl } = given;
  if (model === undefined || baseUrl === undefined) {
    throw new UsageError(
      `${slug} has no model and address of its own: give --model and --base-url.`,
    );
  }
  const url = URL.parse(baseUrl);
  const isPlain = url?.protocol === 'http:' && (isOwn || mayBePlain);
  if (url === null || (url.protocol !== 'https:' && !isPlain) || url.username !== '') {
    const form = isOwn
      ? 'an http or https address'
      : 'an https address, because the key is sent to it';
    throw new UsageError(`--base-url must be ${form}, such as https://gateway.example.com/v1.`);
  }
  return {
    model,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    hasSearch: !given.noSearch && (!hasSearchTerms || given.acceptGroundingTerms),
    searchesMax: given.searches,
    outputTokensMax: given.outputTokens,
  };
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
    !target.hasSearch && 'It was not allowed to search the web.',
    searches !== null &&
      `Searches: ${searches}${queries.length === 0 ? '' : ` (${queries.map((query) => JSON.stringify(query)).join(', ')})`}.`,
    `Model: ${model ?? 'not named'}.`,
    tokens !== null && `Tokens: ${thousands(tokens.input)} in, ${thousands(tokens.output)} out.`,
    cost === undefined
      ? 'Cost: unknown, because the price of this model or of its searches is not known.'
      : `Cost: $${cost.usd.toFixed(6)}, ${price}.`,
  ];
}

export const engineCommand = defineGroup({
  name: 'engine',
  summary: 'ask answer engines over their APIs',
  description:
    'Engines: the official APIs of answer engines. Their answers are not those of the apps, so their slugs end in _api.',
  commands: [testCommand],
});
