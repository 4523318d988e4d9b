/** A source of chance that gives the same numbers for the same seed: Marsaglia's xorshift32. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number of a range, both ends included. */
  whole(min: number, max: number): number;
  isChance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of `[item, weight]`, as often as it weighs. */
  pickWeighted<Item>(items: ReadonlyArray<readonly [Item, number]>): Item;
}

/** Makes one from a whole number other than 0. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  return { next, whole, isChance, pick, pickWeighted };

  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  }

  function whole(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1));
  }

  function isChance(probability: number): boolean {
    return next() < probability;
  }

  function pick<Item>(items: readonly Item[]): Item {
    return itemAt(items, whole(0, items.length - 1));
  }

  function pickWeighted<Item>(items: ReadonlyArray<readonly [Item, number]>): Item {
    let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    const found = items.findIndex(([, weight]) => (rest -= weight) < 0);
    return itemAt(items, found === -1 ? items.length - 1 : found)[0];
  }
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError('There is nothing to pick from');
  return item;
}
