/** Finds the one address that most of a log comes from, if there is one. */
export interface AddressCensus {
  /** Whether the next line is to be counted: all at first, then a sample. */
  isWanted(): boolean;
  count(address: string | null): void;
  /** The address of more than half of the lines counted; undefined where there is none, or too few lines. */
  majority(): string | undefined;
}

/** A log of fewer lines says nothing about who stands in front of the site. */
const linesMin = 20;
const everyLineUpTo = 4096;
const sampleEvery = 64;
const countersMax = 64;

/**
 * Counts addresses with few counters (Misra and Gries): what it says of one is at least so, and an
 * address of clearly more than half is always found. Keeps no address beyond the file.
 */
export function createAddressCensus(): AddressCensus {
  const counters = new Map<string, number>();
  let seen = 0;
  let counted = 0;
  return { isWanted, count, majority };

  function isWanted(): boolean {
    seen++;
    return seen <= everyLineUpTo || seen % sampleEvery === 0;
  }

  function count(address: string | null): void {
    counted++;
    if (address === null) return;
    const known = counters.get(address);
    if (known !== undefined || counters.size < countersMax) {
      counters.set(address, (known ?? 0) + 1);
      return;
    }
    for (const [other, lines] of counters) {
      if (lines === 1) counters.delete(other);
      else counters.set(other, lines - 1);
    }
  }

  function majority(): string | undefined {
    if (counted < linesMin) return undefined;
    for (const [address, lines] of counters) if (lines * 2 > counted) return address;
    return undefined;
  }
}
