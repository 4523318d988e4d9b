import { joinSamples, ranksMax } from '../hits/line-sample.ts';
import type { SampledLine } from '../hits/line-sample.ts';
import type { WrittenLine } from '../written-line.ts';

/** Picks the lines of one log by which its proxy is found. */
export interface LineSampler {
  /** The rank of a line; undefined where it cannot be among the lowest. */
  rankOf(line: WrittenLine): number | undefined;
  take(line: SampledLine): void;
  /** What has been taken since the last time. */
  drain(): readonly SampledLine[];
}

/** The client, the time and the beginning of the target are within as many characters. */
const rankedLength = 88;
const brace = 0x7b;
/** Lines that are held at most, of which many may be one line again and again. */
const takenMax = 8 * ranksMax;

/**
 * Makes a sampler. A rank is a number that looks random and hangs on the line and on `seed` alone.
 */
export function createLineSampler(seed: number): LineSampler {
  let taken: SampledLine[] = [];
  let ranks = new Set<number>();
  let highest = Infinity;
  return { rankOf, take, drain };

  function rankOf(line: WrittenLine): number | undefined {
    const rank = hashOf(line, seed);
    return rank <= highest ? rank : undefined;
  }

  function take(line: SampledLine): void {
    taken.push(line);
    if (taken.length >= takenMax) taken = [...joinSamples([], taken)];
    ranks.add(line.rank);
    if (ranks.size < 2 * ranksMax) return;
    const kept = Float64Array.from(ranks).toSorted().subarray(0, ranksMax);
    highest = kept.at(-1) ?? Infinity;
    ranks = new Set(kept);
    taken = taken.filter(({ rank }) => rank <= highest);
  }

  function drain(): readonly SampledLine[] {
    const drained = taken;
    taken = [];
    return drained;
  }
}

/** FNV's multiplication, over four characters at a time, and MurmurHash3's ending. */
function hashOf({ bytes, start, end }: WrittenLine, seed: number): number {
  // Of JSON nobody knows where in the line the time stands.
  const isJson = start < end && bytes.getUint8(start) === brace;
  const stop = isJson ? end : Math.min(end, start + rankedLength);
  let hash = seed;
  let place = start;
  for (; place + 4 <= stop; place += 4) {
    hash = Math.imul(hash ^ bytes.getInt32(place, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  for (; place < stop; place++) hash = Math.imul(hash ^ bytes.getUint8(place), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
