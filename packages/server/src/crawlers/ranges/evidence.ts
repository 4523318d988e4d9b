import type { Address } from '../addresses/address.ts';
import { parsePrefix } from '../addresses/prefix.ts';
import { createRangeSet } from '../addresses/range-set.ts';
import type { RangeSet } from '../addresses/range-set.ts';
import { readListContent } from './operator-files.ts';
import type { FileVersion } from './operator-files.ts';

/** What the list nearest to a moment says of an address. */
export interface ListAnswer {
  readonly listId: string;
  /** The time for which the list held. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** How far the moment is from the time for which the list held; 0 inside of it. */
  readonly distanceMs: number;
  /** The network that the address is in; undefined where it is in none. */
  readonly prefix: string | undefined;
  /**
   * How far from the moment another list, on the other side of it, does have the address: the list
   * changed in between, nobody knows when. Undefined where none does.
   */
  readonly otherSideMs: number | undefined;
}

/** Operators' dated lists, ready to be asked. */
export interface RangeEvidence {
  /** Undefined where there is no such list. */
  ask(listId: string, address: Address, atMs: number): ListAnswer | undefined;
  /** The name of the proxy's list that has the address; undefined where none does. */
  findProxy(address: Address, atMs: number): string | undefined;
}

/** Lists of proxies and content networks, by their ids. */
export const proxyPrefix = 'proxy/';

interface Version {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly prefixes: readonly string[];
  readonly set: RangeSet;
}

/** Makes evidence of the files kept. Each list is sorted when it is first asked. */
export function createRangeEvidence(
  files: ReadonlyMap<string, readonly FileVersion[]>,
): RangeEvidence {
  const sorted = new Map<string, readonly Version[]>();
  const proxyIds = [...files.keys()].filter((id) => id.startsWith(proxyPrefix));
  return { ask, findProxy };

  function ask(listId: string, address: Address, atMs: number): ListAnswer | undefined {
    const versions = versionsOf(listId);
    const nearest = findNearest(versions, atMs);
    if (nearest === undefined) return undefined;
    const place = nearest.set.find(address);
    const prefix = nearest.prefixes[place];
    return {
      listId,
      firstAt: nearest.firstAt,
      lastAt: nearest.lastAt,
      distanceMs: distance(nearest, atMs),
      prefix,
      otherSideMs:
        prefix === undefined ? otherSide(versions, nearest, { address, atMs }) : undefined,
    };
  }

  function findProxy(address: Address, atMs: number): string | undefined {
    return proxyIds.find((id) => ask(id, address, atMs)?.prefix !== undefined);
  }

  function versionsOf(listId: string): readonly Version[] {
    const known = sorted.get(listId);
    if (known !== undefined) return known;
    const versions = (files.get(listId) ?? []).map(sortVersion);
    sorted.set(listId, versions);
    return versions;
  }
}

function sortVersion({ firstMs, lastMs, content }: FileVersion): Version {
  const prefixes = readListContent(content);
  return {
    firstMs,
    lastMs,
    firstAt: new Date(firstMs).toISOString(),
    lastAt: new Date(lastMs).toISOString(),
    prefixes,
    set: createRangeSet(prefixes.flatMap((text) => parsePrefix(text) ?? [])),
  };
}

/** Of two that are as near, the later. */
function findNearest(versions: readonly Version[], atMs: number): Version | undefined {
  let nearest: Version | undefined;
  for (const version of versions) {
    if (nearest === undefined || distance(version, atMs) <= distance(nearest, atMs))
      nearest = version;
  }
  return nearest;
}

function otherSide(
  versions: readonly Version[],
  nearest: Version,
  { address, atMs }: { address: Address; atMs: number },
): number | undefined {
  if (distance(nearest, atMs) === 0) return undefined;
  const isAfter = nearest.firstMs > atMs;
  const others = versions.filter((version) =>
    isAfter ? version.lastMs < atMs : version.firstMs > atMs,
  );
  const other = findNearest(others, atMs);
  return other !== undefined && other.set.find(address) !== -1 ? distance(other, atMs) : undefined;
}

function distance({ firstMs, lastMs }: Version, atMs: number): number {
  if (atMs < firstMs) return firstMs - atMs;
  return atMs > lastMs ? atMs - lastMs : 0;
}
