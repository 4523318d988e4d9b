import type { Engine, EngineAnswer, ModelPrice, Target } from './engine.ts';

/** What an answer cost, and how that is known. */
export interface AnswerCost {
  readonly usd: number;
  readonly basis: 'reported' | 'computed';
}

/** Tokens that a question may make the model read, search results included, before there is experience. */
const inputTokensMax = 60_000;

/** Of a prompt alone. */
const questionTokens = 100;

/**
 * What the engine reports, else use times price. Undefined if neither is known: then the reading is
 * charged at its bound.
 */
export function costOf(
  { prices }: Pick<Engine, 'prices'>,
  answer: Pick<EngineAnswer, 'model' | 'tokens' | 'searches' | 'reportedUsd'>,
): AnswerCost | undefined {
  const { model, tokens, searches, reportedUsd } = answer;
  if (reportedUsd !== null) return { usd: reportedUsd, basis: 'reported' };
  const price = findPrice(prices, model ?? '');
  if (price === undefined || tokens === null) return undefined;
  const usd = priced(price, { ...tokens, searches: searches ?? 0 });
  return usd === undefined ? undefined : { usd, basis: 'computed' };
}

/**
 * What one answer costs by the price list if it uses as much as recorded answers did, in USD. Undefined
 * if the list has no such price.
 */
export function usualCost(
  { prices, usual }: Pick<Engine, 'prices' | 'usual'>,
  { model, hasSearch }: Target,
): { readonly usd: number; readonly searches: number } | undefined {
  const price = findPrice(prices, model);
  if (price === undefined || usual === undefined) return undefined;
  const { output } = usual;
  // Most of what an answer with search reads are the pages that it found.
  const [input, searches] = hasSearch ? [usual.input, usual.searches] : [questionTokens, 0];
  const usd = priced(price, { input, cached: 0, output, searches });
  return usd === undefined ? undefined : { usd, searches };
}

/** What one search costs, in USD; undefined if the price list does not say. */
export function searchFee({ prices }: Pick<Engine, 'prices'>, model: string): number | undefined {
  const perThousand = findPrice(prices, model)?.searches;
  return perThousand && perThousand / 1000;
}

/**
 * What one reading is held to cost before it is sent, in USD. Undefined for a model without a price. An
 * engine that takes no limit of searches can pass it.
 */
export function bound(
  { prices }: Pick<Engine, 'prices'>,
  { model, hasSearch, searchesMax, outputTokensMax }: Target,
): number | undefined {
  const price = findPrice(prices, model);
  const searches = hasSearch ? searchesMax : 0;
  return (
    price && priced(price, { input: inputTokensMax, cached: 0, output: outputTokensMax, searches })
  );
}

function priced(
  price: ModelPrice,
  {
    input,
    cached,
    output,
    searches,
  }: { input: number; cached: number; output: number; searches: number },
): number | undefined {
  if (searches > 0 && price.searches === undefined) return undefined;
  const tokens =
    Math.max(0, input - cached) * price.input +
    cached * (price.cached ?? price.input) +
    output * price.output;
  const usd = tokens / 1e6 + (searches * (price.searches ?? 0)) / 1000;
  // Without the noise of binary fractions.
  return Math.round(usd * 1e10) / 1e10;
}

function findPrice(prices: readonly ModelPrice[], model: string): ModelPrice | undefined {
  const exact = prices.find((each) => each.model === model);
  if (exact !== undefined) return exact;
  const name = model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return prices.find((each) => each.model === name);
}
