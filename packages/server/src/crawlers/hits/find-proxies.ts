import type { SampledLine } from './line-sample.ts';

/** Tells the addresses from which most of a log comes: a proxy's. */
export interface Proxies {
  /** Whether an address of this class is the proxy before a site of this class, on a day since 1970. */
  has(place: Pick<SampledLine, 'address' | 'site' | 'day'>): boolean;
  /** Classes of addresses whose answer, of some site and day, is another in the other. */
  differences(other: Proxies): ReadonlySet<number>;
  /** The class of the proxy; undefined where there is none. */
  find(site: number, day: number): number | undefined;
  /** Where the answer may change: every site, with the days around its lines. */
  readonly places: ReadonlyMap<number, ReadonlySet<number>>;
  /** Every class that is a proxy's anywhere. */
  readonly classes: ReadonlySet<number>;
}

/** Fewer lines say nothing about who stands in front of a site. */
const linesMin = 20;
/** Days around a request whose lines are asked; wider where they are too few, at last all. */
const reaches = [3, 20, Infinity] as const;

/**
 * Finds proxies in a sample of a workspace's log lines. Most of the lines of a site about a day must be
 * of one class of addresses.
 */
export function findProxies(sample: readonly SampledLine[]): Proxies {
  const sites = Map.groupBy(sample, ({ site }) => site);
  const places = new Map([...sites].map(([site, lines]) => [site, daysAround(lines)]));
  const majorities = new Map([...sites].map(([site, lines]) => [site, createMajorities(lines)]));
  const found = new Map<string, number | undefined>();
  const classes = new Set(
    [...places].flatMap(([site, days]) =>
      [...days, Infinity].flatMap((day) => find(site, day) ?? []),
    ),
  );
  return { has, differences, find, places, classes };

  function has({ address, site, day }: Pick<SampledLine, 'address' | 'site' | 'day'>): boolean {
    return find(site, day) === address;
  }

  function find(site: number, day: number): number | undefined {
    const days = places.get(site);
    if (days === undefined) return undefined;
    // Days that are far from every line are all alike.
    const place = days.has(day) ? day : Infinity;
    const key = `${site} ${place}`;
    if (!found.has(key)) found.set(key, majorities.get(site)?.(place));
    return found.get(key);
  }

  function differences(other: Proxies): ReadonlySet<number> {
    const tipped = new Set<number>();
    for (const site of new Set([...places.keys(), ...other.places.keys()])) {
      const days = [...(places.get(site) ?? []), ...(other.places.get(site) ?? []), Infinity];
      for (const day of new Set(days)) {
        const [mine, theirs] = [find(site, day), other.find(site, day)];
        if (mine === theirs) continue;
        if (mine !== undefined) tipped.add(mine);
        if (theirs !== undefined) tipped.add(theirs);
      }
    }
    return tipped;
  }
}

function daysAround(lines: readonly SampledLine[]): ReadonlySet<number> {
  const days = new Set<number>();
  const [, reach] = reaches;
  for (const day of new Set(lines.map((line) => line.day))) {
    for (let near = day - reach; near <= day + reach; near++) days.add(near);
  }
  return days;
}

/** Makes what finds the majority about a day. Many days have the same lines about them. */
function createMajorities(
  lines: readonly SampledLine[],
): (this: void, day: number) => number | undefined {
  const sorted = lines.toSorted((left, right) => left.day - right.day);
  const known = new Map<string, { ranks: number; address: number | undefined }>();
  return function majorityAbout(day) {
    for (const reach of reaches) {
      const start = reach === Infinity ? 0 : firstFrom(sorted, day - reach);
      const end = reach === Infinity ? sorted.length : firstFrom(sorted, day + reach + 1);
      const key = `${start} ${end}`;
      const found = known.get(key) ?? majorityOf(sorted.slice(start, end));
      known.set(key, found);
      if (found.ranks >= linesMin) return found.address;
    }
    return undefined;
  };
}

/** The place of the first line of a day or later ones. */
function firstFrom(sorted: readonly SampledLine[], day: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.day ?? Infinity) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A line that was read in two ways counts once, and for both addresses. */
function majorityOf(lines: readonly SampledLine[]): {
  ranks: number;
  address: number | undefined;
} {
  const ranks = new Set(lines.map(({ rank }) => rank)).size;
  const counts = new Map<number, number>();
  for (const { address } of lines) {
    if (address === -1) continue;
    const count = (counts.get(address) ?? 0) + 1;
    if (count * 2 > ranks) return { ranks, address };
    counts.set(address, count);
  }
  return { ranks, address: undefined };
}
