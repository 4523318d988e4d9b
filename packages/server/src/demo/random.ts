/** A random generator that gives the same numbers for the same seed: Marsaglia's xorshift32. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  isChance(probability: number): boolean;
  /** Throws if there are no items. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Makes a generator from an integer other than 0. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return { next, isChance: (probability) => next() < probability, pick };

  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  }

  function pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from');
    return item;
  }
}
