import type { Engine, ModelPrice } from './engine.ts';

/** A price that the operator gives: it holds from the day `checked` on, in place of the price list's. */
export interface PriceRow extends ModelPrice {
  /** The engine's name, or its kind. */
  readonly engine: string;
}

/** The operator's prices, and the moment at which they are looked at. */
export interface Pricing {
  readonly rows: readonly PriceRow[];
  readonly nowMs: number;
}

/** An engine with the operator's prices that hold by now before its own, the latest first. */
export function withPrices(engine: Engine, name: string, { rows, nowMs }: Pricing): Engine {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const own = rows
    .filter((row) => [name, engine.slug].includes(row.engine) && row.checked <= today)
    .toSorted((left, right) => (left.checked < right.checked ? 1 : -1));
  return own.length === 0 ? engine : { ...engine, prices: [...own, ...engine.prices] };
}
