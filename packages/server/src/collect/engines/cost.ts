import type { Engine, EngineAnswer, ModelPrice, Target } from './engine.ts';

/** The cost of an answer, and how it is known. */
export interface AnswerCost {
  readonly usd: number;
  readonly basis: 'reported' | 'computed';
}

/**
 * Most tokens that the model is expected to read for a question, including search results, until
 * real answers show better figures.
 */
const inputTokensMax = 60_000;

/** Tokens of a prompt alone. */
const questionTokens = 100;

/**
 * The cost that the engine reports, or else its use times the price. Undefined if neither is known,
 * and then the reading is charged at its bound.
 */
export function costOf(
  { prices }: Pick<Engine, 'prices'>,
  answer: Pick<EngineAnswer, 'model' | 'tokens' | 'searches' | 'reportedUsd'>,
): AnswerCost | undefined {
  const { model, tokens, searches, reportedUsd } = answer;
  if (reportedUsd !== null) return { usd: reportedUsd, basis: 'reported' };
  const price = findPrice(prices, model ?? '');
  if (price === undefined || tokens === null) return undefined;
  const usd = sumCost(price, { ...tokens, searches: searches ?? 0 });
  return usd === undefined ? undefined : { usd, basis: 'computed' };
}

/**
 * The cost of one answer by the price list, in USD, if it uses as much as recorded answers did.
 * Undefined if the list has no such price.
 */
export function usualCost(
  { prices, usual }: Pick<Engine, 'prices' | 'usual'>,
  { model, hasSearch }: Target,
): { readonly usd: number; readonly searches: number } | undefined {
  const price = findPrice(prices, model);
  if (price === undefined || usual === undefined) return undefined;
  const { output } = usual;
  // Without search an answer reads only the prompt, because most of its input are the pages found.
  const [input, searches] = hasSearch ? [usual.input, usual.searches] : [questionTokens, 0];
  const usd = sumCost(price, { input, cached: 0, output, searches });
  return usd === undefined ? undefined : { usd, searches };
}

/** The price of one search in USD; undefined if the price list does not have it. */
export function searchFee({ prices }: Pick<Engine, 'prices'>, model: string): number | undefined {
  const perThousand = findPrice(prices, model)?.searches;
  return perThousand && perThousand / 1000;
}

/**
 * The amount in USD that is reserved for a prompt before it is sent. Undefined for a model without
 * a price. An engine that accepts no limit of searches may cost more.
 */
export function bound(
  { prices }: Pick<Engine, 'prices'>,
  { model, hasSearch, searchesMax, outputTokensMax }: Target,
  prompt = '',
): number | undefined {
  const price = findPrice(prices, model);
  const searches = hasSearch ? searchesMax : 0;
  // A token is at least one byte, and the prompt is read again after each search.
  const input = inputTokensMax + Buffer.byteLength(prompt) * (1 + searches);
  return price && sumCost(price, { input, cached: 0, output: outputTokensMax, searches });
}

/** Tokens with which an engine surrounds a question. */
const surroundingTokens = 1000;

/** The amount in USD that is reserved for a question without a search. Undefined without a price. */
export function boundWithoutSearch(
  { prices }: Pick<Engine, 'prices'>,
  { model, outputTokensMax }: Target,
  question: string,
): number | undefined {
  const price = findPrice(prices, model);
  // A token is at least one byte.
  const input = surroundingTokens + Buffer.byteLength(question);
  return price && sumCost(price, { input, cached: 0, output: outputTokensMax, searches: 0 });
}

/** The cost in USD of a question without a search by the price list. Undefined without a price. */
export function costWithoutSearch(
  { prices }: Pick<Engine, 'prices'>,
  { model }: Target,
  tokens: { readonly input: number; readonly output: number },
): number | undefined {
  const price = findPrice(prices, model);
  return price && sumCost(price, { ...tokens, cached: 0, searches: 0 });
}

function sumCost(
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
  // Round away the noise of binary fractions.
  return Math.round(usd * 1e10) / 1e10;
}

/** The price of a model, also of a dated snapshot of it. */
export function findPrice(prices: readonly ModelPrice[], model: string): ModelPrice | undefined {
  const exact = prices.find((each) => each.model === model);
  if (exact !== undefined) return exact;
  const name = model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return prices.find((each) => each.model === name);
}
