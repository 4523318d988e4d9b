import { createMemo } from '../../values/memo.ts';
import type { Address } from '../../values/addresses/address.ts';
import { catalogueNetworks } from '../bots/catalogue.ts';
import { createNetworks, unmaskedNetwork } from '../../values/addresses/networks.ts';
import { readListContent } from './file-versions.ts';
import type { StoredVersion } from './file-versions.ts';

/** What a list says of an address at a moment. */
export interface ListResult {
  readonly listId: string;
  readonly standing:
    | 'has' // The version nearest to the moment has the address.
    | 'lacks' // A version in force at the moment lacks it, or one before and one after the moment do.
    | 'changed' // One version near the moment has it, and another one lacks it.
    | 'pending' // Only a version before the moment is stored, and the next one can decide.
    | 'other_family' // A version that would refute the address has only IPv4 networks, or only IPv6 ones.
    | 'begins_later' // Only a version after the moment is stored.
    | 'too_old' // No version is near enough, and none will be.
    | 'missing'; // No version is stored.
  /** The time for which the nearest version was in force, or the last one if none is near. */
  readonly firstAt?: string | undefined;
  readonly lastAt?: string | undefined;
  /** The network that the address is in. */
  readonly network?: string | undefined;
  /** Whether the nearest version has every address that a masked one may stand for. */
  readonly hasAll?: boolean | undefined;
}

/** A moment, and how far from it a list may be. */
export interface Moment {
  readonly atMs: number;
  readonly nowMs: number;
  readonly nearMs: number;
}

/** Ids of lists of proxies and content networks. */
export const proxyPrefix = 'proxy/';

export type Lists = ReturnType<typeof createLists>;

/** Makes lists of the stored files, oldest first. Each content is parsed when it is first needed. */
export function createLists(files: ReadonlyMap<string, readonly StoredVersion[]>) {
  const networksOf = createMemo((content) => createNetworks(readListContent(content)));
  const everOf = createMemo((listId) => {
    const contents = (files.get(listId) ?? []).flatMap(({ content }) => readListContent(content));
    return createNetworks(new Set([...contents, ...(catalogueNetworks.get(listId) ?? [])]));
  });
  const ids = [...new Set([...files.keys(), ...catalogueNetworks.keys()])].toSorted();
  /** The ids that begin with a prefix, such as those of an operator's lists. */
  const idsOf = createMemo((prefix) => ids.filter((id) => id.startsWith(prefix)));
  return { ask, findEver, wasListed, idsOf };

  function ask(listId: string, address: Address, moment: Moment): ListResult {
    const versions = files.get(listId) ?? [];
    if (versions.length === 0) return { listId, standing: 'missing' };
    const near = findNear(versions, moment);
    const { firstAt, lastAt } = near.nearest ?? versions.at(-1) ?? {};
    const networks = near.nearest && networksOf(near.nearest.content);
    const network = networks?.find(address);
    const standing = network === undefined ? standingOf(near, address, moment) : 'has';
    const hasAll = network !== undefined && networks?.covers(unmaskedNetwork(address));
    return { listId, standing, firstAt, lastAt, network, hasAll };
  }

  /** No version is near, or the nearest one lacks the address. The others may disagree. */
  function standingOf(
    { spanning, before, after }: ReturnType<typeof findNear>,
    address: Address,
    { atMs, nowMs, nearMs }: Moment,
  ): ListResult['standing'] {
    const has = (version: StoredVersion | undefined) =>
      version !== undefined && networksOf(version.content).find(address) !== undefined;
    const isHeld = spanning.length > 0;
    const covers = (version: StoredVersion) => networksOf(version.content).hasFamilyOf(address);
    // Versions before a list in force do not matter: what they had was removed before the moment.
    if (spanning.some(has) || has(after) || (!isHeld && has(before))) return 'changed';
    if (isHeld || (before !== undefined && after !== undefined)) {
      const refuting = isHeld
        ? spanning
        : [before, after].filter((version) => version !== undefined);
      return refuting.every(covers) ? 'lacks' : 'other_family';
    }
    if (after !== undefined) return 'begins_later';
    // A later version can decide only while the present moment itself is near enough.
    return nowMs <= atMs + nearMs ? 'pending' : 'too_old';
  }

  /** The first of the lists that has had the address at any time. */
  function findEver(listIds: readonly string[], address: Address): string | undefined {
    return listIds.find((id) => everOf(id).find(address) !== undefined);
  }

  /** Whether one of the lists had the address at the moment. */
  function wasListed(listIds: readonly string[], address: Address, moment: Moment): boolean {
    return listIds.some((id) =>
      catalogueNetworks.has(id)
        ? everOf(id).find(address) !== undefined
        : ask(id, address, moment).standing === 'has',
    );
  }
}

/**
 * The versions in force at a moment, the nearest one on each side, and the nearest of them all: of two
 * that are as near, the later one.
 */
function findNear(versions: readonly StoredVersion[], { atMs, nearMs }: Moment) {
  const spanning: StoredVersion[] = [];
  let latest: StoredVersion | undefined;
  let before: StoredVersion | undefined;
  let after: StoredVersion | undefined;
  for (const version of versions) {
    const { firstMs, lastMs } = version;
    if (lastMs < atMs) {
      if (lastMs >= (before?.lastMs ?? atMs - nearMs)) before = version;
    } else if (firstMs > atMs) {
      if (firstMs <= atMs + nearMs) after ??= version;
    } else {
      spanning.push(version);
      if (lastMs >= (latest?.lastMs ?? 0)) latest = version;
    }
  }
  const isBeforeNearer =
    after === undefined || (before !== undefined && atMs - before.lastMs < after.firstMs - atMs);
  return { spanning, before, after, nearest: latest ?? (isBeforeNearer ? before : after) };
}
