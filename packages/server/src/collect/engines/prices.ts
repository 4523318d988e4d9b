import type { Engine, ModelPrice } from './engine.ts';

/** A price that the operator gives. From the day `checked` on it replaces the price in the list. */
export interface PriceRow extends ModelPrice {
  /** The engine's name, or its kind. */
  readonly engine: string;
}

/** The operator's prices, and the moment to apply them at. */
export interface Pricing {
  readonly rows: readonly PriceRow[];
  readonly nowMs: number;
}

/** The day of the list in `listed-prices.ts`. */
const listedOn = '2026-09-23';

/** The listed prices of an engine's models, of each the latest first, with the fee of a search. */
export function listedPricesOf(
  engine: string,
  fee: { readonly searches?: number } = {},
): ModelPrice[] {
  return listedPrices
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([name]) => name === engine)
    .map(([, model = '', from = '-', input, output, cached = '-']) => ({
      model,
      input: Number(input),
      output: Number(output),
      ...(cached !== '-' && { cached: Number(cached) }),
      ...fee,
      checked: listedOn,
      ...(from !== '-' && { from }),
      source: 'https://github.com/pydantic/genai-prices',
    }));
}

/**
 * The engine with the prices that hold now: the operator's before its own, the latest first.
 */
export function withPrices(engine: Engine, name: string, { rows, nowMs }: Pricing): Engine {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const engineRows = rows
    .filter((row) => [name, engine.slug].includes(row.engine) && row.checked <= today)
    .toSorted((left, right) => (left.checked < right.checked ? 1 : -1));
  const current = engine.prices.filter(({ from }) => from === undefined || from <= today);
  return { ...engine, prices: [...engineRows, ...current] };
}

/**
 * Prices of models in USD per million tokens: engine, model, the day from which the price holds,
 * input, output, cached input. From https://github.com/pydantic/genai-prices (MIT), version 0.1.8.
 * `npm run docs` writes this table.
 */
const listedPrices = `
chatgpt_api chatgpt-4o-latest - 5 15 -
chatgpt_api gpt-3.5-0301 - 1.5 2 -
chatgpt_api gpt-3.5-turbo - 0.5 1.5 -
chatgpt_api gpt-3.5-turbo-0613 - 1.5 2 -
chatgpt_api gpt-3.5-turbo-1106 - 1 2 -
chatgpt_api gpt-3.5-turbo-16k - 3 4 -
chatgpt_api gpt-3.5-turbo-instruct - 1.5 2 -
chatgpt_api gpt-4 - 30 60 -
chatgpt_api gpt-4-32k - 60 120 -
chatgpt_api gpt-4-turbo - 10 30 -
chatgpt_api gpt-4-vision-preview - 10 30 -
chatgpt_api gpt-4.1 - 2 8 0.5
chatgpt_api gpt-4.1-mini - 0.4 1.6 0.1
chatgpt_api gpt-4.1-nano - 0.1 0.4 0.025
chatgpt_api gpt-4.5-preview - 75 150 37.5
chatgpt_api gpt-4o - 2.5 10 1.25
chatgpt_api gpt-4o-2024-05-13 - 5 15 -
chatgpt_api gpt-4o-mini - 0.15 0.6 0.075
chatgpt_api gpt-4o-mini-2024-07-18.ft- - 0.3 1.2 -
chatgpt_api gpt-4o-search-preview - 2.5 10 -
chatgpt_api gpt-4o:extended - 6 18 -
chatgpt_api gpt-5 - 1.25 10 0.125
chatgpt_api gpt-5-mini - 0.25 2 0.025
chatgpt_api gpt-5-nano - 0.05 0.4 0.005
chatgpt_api gpt-5-pro - 15 120 -
chatgpt_api gpt-5.1 - 1.25 10 0.125
chatgpt_api gpt-5.1-codex-mini - 0.25 2 0.025
chatgpt_api gpt-5.2 - 1.75 14 0.175
chatgpt_api gpt-5.2-pro - 21 168 -
chatgpt_api gpt-5.3 - 1.75 14 0.175
chatgpt_api gpt-5.3-codex - 1.75 14 0.175
chatgpt_api gpt-5.4 - 2.5 15 0.25
chatgpt_api gpt-5.4-mini - 0.75 4.5 0.075
chatgpt_api gpt-5.4-nano - 0.2 1.25 0.02
chatgpt_api gpt-5.4-pro - 30 180 -
chatgpt_api gpt-5.5 - 5 30 0.5
chatgpt_api gpt-5.5-pro - 30 180 -
chatgpt_api gpt-5.6-luna 2026-07-30 0.2 1.2 0.02
chatgpt_api gpt-5.6-luna - 1 6 0.1
chatgpt_api gpt-5.6-sol 2026-08-21 4 20 0.4
chatgpt_api gpt-5.6-sol - 5 30 0.5
chatgpt_api gpt-5.6-terra 2026-07-30 2 12 0.2
chatgpt_api gpt-5.6-terra - 2.5 15 0.25
chatgpt_api gpt-6-astra - 10 50 1
chatgpt_api gpt-6-luna - 0.1 0.5 0.01
chatgpt_api gpt-6-sol - 2 10 0.2
chatgpt_api gpt-chat-latest - 5 30 0.5
chatgpt_api gpt-oss-120b - 0.039 0.18 -
chatgpt_api gpt-oss-20b - 0.029 0.14 -
chatgpt_api gpt-oss-safeguard-20b - 0.075 0.3 0.037
chatgpt_api o1 - 15 60 7.5
chatgpt_api o1-mini - 1.1 4.4 0.55
chatgpt_api o1-preview - 15 60 7.5
chatgpt_api o1-pro - 150 600 -
chatgpt_api o3 2025-06-10 2 8 0.5
chatgpt_api o3 - 10 40 0.5
chatgpt_api o3-deep-research - 10 40 2.5
chatgpt_api o3-mini - 1.1 4.4 0.55
chatgpt_api o3-pro - 20 80 -
chatgpt_api o4-mini - 1.1 4.4 0.275
chatgpt_api o4-mini-deep-research - 2 8 0.5
claude_api claude-2 - 8 24 -
claude_api claude-3-5-haiku-latest - 0.8 4 0.08
claude_api claude-3-5-sonnet - 3 15 0.3
claude_api claude-3-7-sonnet-latest - 3 15 0.3
claude_api claude-3-haiku - 0.25 1.25 0.03
claude_api claude-3-opus-latest - 15 75 1.5
claude_api claude-3-sonnet - 3 15 0.3
claude_api claude-fable-5 - 10 50 1
claude_api claude-fable-5-1 - 10 50 0.25
claude_api claude-haiku-4-5 - 1 5 0.1
claude_api claude-opus-4-0 - 15 75 1.5
claude_api claude-opus-4-1 - 15 75 1.5
claude_api claude-opus-4-5 - 5 25 0.5
claude_api claude-opus-4-6 2026-03-13 5 25 0.5
claude_api claude-opus-4-6 - 5 25 0.5
claude_api claude-opus-4-7 - 5 25 0.5
claude_api claude-opus-4-8 - 5 25 0.5
claude_api claude-opus-5 - 5 25 0.5
claude_api claude-opus-5-5 - 4 20 0.2
claude_api claude-sonnet-4-0 - 3 15 0.3
claude_api claude-sonnet-4-5 - 3 15 0.3
claude_api claude-sonnet-4-6 2026-03-13 3 15 0.3
claude_api claude-sonnet-4-6 - 3 15 0.3
claude_api claude-sonnet-5 - 2 10 0.2
claude_api claude-v1 - 8 24 -
gemini_api gemini-1.0-pro-vision-001 - 0.125 0.375 -
gemini_api gemini-1.5-flash - 0.075 0.3 0.01875
gemini_api gemini-1.5-pro - 1.25 5 -
gemini_api gemini-2.0-flash - 0.1 0.4 0.025
gemini_api gemini-2.0-flash-lite - 0.075 0.3 -
gemini_api gemini-2.5-flash - 0.3 2.5 0.03
gemini_api gemini-2.5-flash-lite - 0.1 0.4 0.01
gemini_api gemini-2.5-flash-preview - 0.15 0.6 -
gemini_api gemini-2.5-pro - 1.25 10 0.125
gemini_api gemini-3-flash-preview - 0.5 3 0.05
gemini_api gemini-3-pro-preview - 2 12 0.2
gemini_api gemini-3.1-flash-lite - 0.25 1.5 0.025
gemini_api gemini-3.1-pro-preview - 2 12 0.2
gemini_api gemini-3.5-flash - 1.5 9 0.15
gemini_api gemini-3.5-flash-lite - 0.3 2.5 0.03
gemini_api gemini-3.6-flash 2027-01-01 1.5 7.5 0.15
gemini_api gemini-3.6-flash - 0.75 3.75 0.075
gemini_api gemini-3.7-flash 2027-01-01 1.5 7.5 0.15
gemini_api gemini-3.7-flash - 0.75 3.75 0.075
gemini_api gemini-3.8-flash 2027-01-01 1.5 7.5 0.15
gemini_api gemini-3.8-flash - 0.75 3.75 0.075
gemini_api gemini-flash-1.5 - 0.075 0.3 0.01875
gemini_api gemini-flash-1.5-8b - 0.0375 0.15 0.01
gemini_api gemini-omni-flash-preview - 1.5 9 -
gemini_api gemini-pro - 0.125 0.375 -
gemini_api gemini-pro-1.5 - 1.25 5 0.3125
grok_api grok-2-1212 - 2 10 -
grok_api grok-2-vision-1212 - 2 10 -
grok_api grok-3 - 3 15 0.75
grok_api grok-3-fast - 5 25 1.25
grok_api grok-3-mini - 0.3 0.5 0.075
grok_api grok-3-mini-fast - 0.6 4 0.15
grok_api grok-4-0709 - 3 15 0.75
grok_api grok-4-1-fast-non-reasoning - 0.2 0.5 0.05
grok_api grok-4-1-fast-reasoning - 0.2 0.5 0.05
grok_api grok-4-fast-non-reasoning - 0.2 0.5 0.05
grok_api grok-4-fast-reasoning - 0.2 0.5 0.05
grok_api grok-4.20 - 1.25 2.5 0.2
grok_api grok-4.20-multi-agent - 2 6 0.2
grok_api grok-4.3 - 1.25 2.5 0.2
grok_api grok-4.5 - 2 6 0.3
grok_api grok-4.6 - 2 6 0.5
grok_api grok-build-0.1 - 1 2 0.2
grok_api grok-code-fast-1 - 0.2 1.5 0.02
mistral_api codestral - 0.3 0.9 -
mistral_api codestral-2508 - 0.3 0.9 0.03
mistral_api devstral-2512 - 0.4 2 0.04
mistral_api devstral-small - 0.1 0.3 -
mistral_api magistral-medium - 2 5 -
mistral_api magistral-small - 0.5 1.5 -
mistral_api ministral-14b-2512 - 0.2 0.2 0.02
mistral_api ministral-3b - 0.04 0.04 -
mistral_api ministral-3b-2512 - 0.1 0.1 0.01
mistral_api ministral-8b - 0.1 0.1 -
mistral_api ministral-8b-2512 - 0.15 0.15 0.015
mistral_api ministral-8b-latest 2025-12-02 0.15 0.15 0.015
mistral_api ministral-8b-latest - 0.1 0.1 -
mistral_api mistral-7b - 0.25 0.25 -
mistral_api mistral-large - 2 6 -
mistral_api mistral-large-2512 - 0.5 1.5 0.05
mistral_api mistral-medium-2312 - 2.7 8.1 -
mistral_api mistral-medium-3-1 - 0.4 2 0.04
mistral_api mistral-medium-3-5 - 1.5 7.5 0.15
mistral_api mistral-medium-latest 2026-06-16 1.5 7.5 0.15
mistral_api mistral-medium-latest - 0.4 2 0.04
mistral_api mistral-nemo - 0.15 0.15 -
mistral_api mistral-saba - 0.2 0.6 -
mistral_api mistral-small-24b-instruct-2501 - 0.05 0.08 -
mistral_api mistral-small-2603 - 0.15 0.6 0.015
mistral_api mistral-small-3.1-24b-instruct - 0.351 0.555 -
mistral_api mistral-small-3.2-24b-instruct - 0.075 0.2 -
mistral_api mistral-small-latest - 0.1 0.3 -
mistral_api mistral-tiny - 0.25 0.25 -
mistral_api mixtral-8x22b-instruct - 0.9 0.9 -
mistral_api mixtral-8x7b - 0.7 0.7 -
mistral_api pixtral-12b - 0.15 0.15 -
mistral_api pixtral-large - 2 6 -
mistral_api voxtral-small-24b-2507 2026-08-11 0.1 0.4 0.01
mistral_api voxtral-small-24b-2507 - 0.1 0.3 0.01
deepseek_api deepseek-chat - 0.27 1.1 0.07
deepseek_api deepseek-reasoner - 0.55 2.19 0.14
deepseek_api deepseek-v3.1-terminus - 0.27 0.95 0.13
deepseek_api deepseek-v3.2 - 0.2288 0.3432 -
deepseek_api deepseek-v3.2-exp - 0.27 0.41 -
deepseek_api deepseek-v4-flash 2026-08-17 0.44 1.32 0.014
deepseek_api deepseek-v4-flash - 0.14 0.28 0.0028
deepseek_api deepseek-v4-pro 2026-08-17 1.32 3.96 0.044
deepseek_api deepseek-v4-pro - 0.435 0.87 0.003625
`;
