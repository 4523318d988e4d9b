import type { Address } from './address.ts';
import { firstAddress, lastAddress } from './prefix.ts';
import type { Prefix } from './prefix.ts';

/** Networks that are looked up by address. */
export interface RangeSet {
  /** The number of networks. */
  readonly size: number;
  /** The narrowest network that the address is in, by its place in the list given; else -1. */
  find(address: Address): number;
}

/**
 * Sorts networks for a binary search. Networks nest or are apart, so that each has at most one
 * narrowest parent: the search finds the last network that starts at or before the address and
 * climbs. Measured against `net.BlockList`, which walks a list: about 100 times faster.
 */
export function createRangeSet(prefixes: readonly Prefix[]): RangeSet {
  const findIpv4 = createSearch(prefixes, 4, 1);
  const findIpv6 = createSearch(prefixes, 6, 4);
  return {
    size: prefixes.length,
    find(address) {
      if (address.family === 4) return findIpv4(address.value, 0, 0, 0);
      const [a, b, c, d] = address.words;
      return findIpv6(a, b, c, d);
    },
  };
}

/** Finds in the networks of one family, whose addresses are of `width` 32-bit words. */
function createSearch(
  prefixes: readonly Prefix[],
  family: 4 | 6,
  width: number,
): (a: number, b: number, c: number, d: number) => number {
  const sorted = [...prefixes.entries()]
    .filter(([, prefix]) => prefix.address.family === family)
    .map(([place, prefix]) => ({
      place,
      bits: prefix.bits,
      first: words(firstAddress(prefix)),
      last: words(lastAddress(prefix)),
    }))
    .toSorted((left, right) => compareWords(left.first, right.first) || left.bits - right.bits);
  const count = sorted.length;
  const firsts = Uint32Array.from(sorted.flatMap(({ first }) => first));
  const lasts = Uint32Array.from(sorted.flatMap(({ last }) => last));
  const parents = parentsOf(sorted);

  return function find(a, b, c, d) {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAtMost(firsts, middle * width, width, a, b, c, d)) low = middle + 1;
      else high = middle;
    }
    let place = low - 1;
    while (place >= 0) {
      if (isAtLeast(lasts, place * width, width, a, b, c, d)) return sorted[place]?.place ?? -1;
      place = parents[place] ?? -1;
    }
    return -1;
  };
}

function parentsOf(sorted: ReadonlyArray<{ first: number[]; last: number[] }>): Int32Array {
  const parents = new Int32Array(sorted.length).fill(-1);
  const open: number[] = [];
  for (const [place, { first }] of sorted.entries()) {
    while (open.length > 0) {
      const candidate = sorted[open.at(-1) ?? 0];
      if (candidate !== undefined && compareWords(candidate.last, first) >= 0) break;
      open.pop();
    }
    parents[place] = open.at(-1) ?? -1;
    open.push(place);
  }
  return parents;
}

function words(address: Address): number[] {
  return address.family === 4 ? [address.value] : [...address.words];
}

function compareWords(left: readonly number[], right: readonly number[]): number {
  for (const [index, word] of left.entries()) {
    const difference = word - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether the address in the table is at most the one given. */
function isAtMost(
  table: Uint32Array,
  offset: number,
  width: number,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  const first = table[offset] ?? 0;
  if (width === 1 || first !== a) return first <= a;
  return compareRest(table, offset, b, c, d) <= 0;
}

function isAtLeast(
  table: Uint32Array,
  offset: number,
  width: number,
  a: number,
  b: number,
  c: number,
  d: number,
): boolean {
  const first = table[offset] ?? 0;
  if (width === 1 || first !== a) return first >= a;
  return compareRest(table, offset, b, c, d) >= 0;
}

function compareRest(table: Uint32Array, offset: number, b: number, c: number, d: number): number {
  const second = table[offset + 1] ?? 0;
  if (second !== b) return second - b;
  const third = table[offset + 2] ?? 0;
  if (third !== c) return third - c;
  return (table[offset + 3] ?? 0) - d;
}
