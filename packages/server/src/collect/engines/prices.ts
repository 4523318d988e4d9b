import type { Engine, ModelPrice } from './engine.ts';
import { listedPrices } from './listed-prices.ts';

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
