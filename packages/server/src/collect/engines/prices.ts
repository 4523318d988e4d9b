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

/** Puts the operator's current prices before the engine's own, the latest first. */
export function withPrices(engine: Engine, name: string, { rows, nowMs }: Pricing): Engine {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const engineRows = rows
    .filter((row) => [name, engine.slug].includes(row.engine) && row.checked <= today)
    .toSorted((left, right) => (left.checked < right.checked ? 1 : -1));
  return engineRows.length === 0
    ? engine
    : { ...engine, prices: [...engineRows, ...engine.prices] };
}
