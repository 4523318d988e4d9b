import { createMemo } from '../../values/memo.ts';
import type { Address } from '../../values/addresses/address.ts';
import { catalogueNetworks } from '../bots/catalogue.ts';
import { createNetworks } from '../../values/addresses/networks.ts';
import type { Networks } from '../../values/addresses/networks.ts';
import { readListContent } from './file-versions.ts';
import type { FileVersion } from './file-versions.ts';

/**
 * What a list says of an address at a moment. `nearest` is the version nearest to the moment:
 * - `has`: the nearest version has the address.
 * - `lacks`: a version in force at the moment lacks it, or one before and one after the moment do.
 * - `changed`: one version near the moment has it, and another one lacks it.
 * - `pending`: only a version before the moment is stored, and the next one can decide.
 * - `begins_later`: only a version after the moment is stored.
 * - `too_old`: no version is near enough, and none will be.
 * - `missing`: no version is stored.
 */
export interface ListResult {
  readonly listId: string;
  readonly standing:
    | 'has'
    | 'lacks'
    | 'changed'
    | 'pending'
    | 'begins_later'
    | 'too_old'
    | 'missing';
  /** The time for which the nearest version was in force. */
  readonly firstAt?: string | undefined;
  readonly lastAt?: string | undefined;
  /** The network that the address is in. */
  readonly network?: string | undefined;
}

/** A moment, and how far from it a list may be. */
export interface Moment {
  readonly atMs: number;
  readonly nowMs: number;
  readonly nearMs: number;
}

/** Operators' dated lists. */
export interface Lists {
  ask(listId: string, address: Address, moment: Moment): ListResult;
  /** The first of the lists that has had the address at any time. */
  findEver(listIds: readonly string[], address: Address): string | undefined;
  /** Whether one of the lists had the address at the moment. */
  hadAt(listIds: readonly string[], address: Address, moment: Moment): boolean;
  /** The ids that begin with `prefix`, such as those of an operator's lists. */
  idsOf(prefix: string): readonly string[];
}

/** Ids of lists of proxies and content networks. */
export const proxyPrefix = 'proxy/';

interface Version extends Pick<FileVersion, 'firstMs' | 'lastMs'> {
  readonly firstAt: string;
  readonly lastAt: string;
  find(address: Address): string | undefined;
}

/** Makes lists of the stored files. Each version is parsed when it is first needed. */
export function createLists(files: ReadonlyMap<string, readonly FileVersion[]>): Lists {
  const versions = new Map([...files].map(([id, own]) => [id, own.map(lazyVersion)]));
  const ever = new Map<string, Networks>();
  const ids = [...new Set([...files.keys(), ...catalogueNetworks.keys()])].toSorted();
  const idsOf = createMemo((prefix) => ids.filter((id) => id.startsWith(prefix)));
  return { ask, findEver, hadAt, idsOf };

  function ask(listId: string, address: Address, moment: Moment): ListResult {
    const own = versions.get(listId) ?? [];
    if (own.length === 0) return { listId, standing: 'missing' };
    const near = findNear(own, moment);
    const nearest = nearestOf(near, moment);
    const network = nearest?.find(address);
    const standing =
      nearest === undefined
        ? pendingOrTooOld(moment)
        : network === undefined
          ? standingOf(near, address, moment)
          : 'has';
    const { firstAt, lastAt } = nearest ?? own.at(-1) ?? {};
    return { listId, standing, firstAt, lastAt, network };
  }

  function findEver(listIds: readonly string[], address: Address): string | undefined {
    return listIds.find((id) => everOf(id).find(address) !== undefined);
  }

  function hadAt(listIds: readonly string[], address: Address, moment: Moment): boolean {
    return listIds.some((id) =>
      catalogueNetworks.has(id)
        ? everOf(id).find(address) !== undefined
        : ask(id, address, moment).standing === 'has',
    );
  }

  function everOf(listId: string): Networks {
    const known = ever.get(listId);
    if (known !== undefined) return known;
    const contents = (files.get(listId) ?? []).flatMap(({ content }) => readListContent(content));
    const made = createNetworks(new Set([...contents, ...(catalogueNetworks.get(listId) ?? [])]));
    ever.set(listId, made);
    return made;
  }
}

/** The versions in force at a moment, and the nearest one on each side. */
interface NearVersions {
  readonly spanning: readonly Version[];
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

function findNear(versions: readonly Version[], { atMs, nearMs }: Moment): NearVersions {
  const spanning: Version[] = [];
  let before: Version | undefined;
  let after: Version | undefined;
  for (const version of versions) {
    const { firstMs, lastMs } = version;
    if (lastMs < atMs) {
      if (atMs - lastMs <= nearMs && lastMs >= (before?.lastMs ?? 0)) before = version;
    } else if (firstMs > atMs) {
      if (firstMs - atMs <= nearMs && firstMs < (after?.firstMs ?? Infinity)) after = version;
    } else spanning.push(version);
  }
  return { spanning, before, after };
}

/** The later one of two versions that are as near. */
function nearestOf(
  { spanning, before, after }: NearVersions,
  { atMs }: Moment,
): Version | undefined {
  if (spanning.length > 0) {
    return spanning.reduce((best, version) => (version.lastMs >= best.lastMs ? version : best));
  }
  if (before === undefined || after === undefined) return before ?? after;
  return atMs - before.lastMs < after.firstMs - atMs ? before : after;
}

/** The nearest version lacks the address. The others may disagree. */
function standingOf(
  { spanning, before, after }: NearVersions,
  address: Address,
  moment: Moment,
): ListResult['standing'] {
  const has = (version: Version | undefined) => version?.find(address) !== undefined;
  const isHeld = spanning.length > 0;
  // Versions before a list in force do not matter: what they had was removed before the moment.
  if (spanning.some(has) || has(after) || (!isHeld && has(before))) return 'changed';
  if (isHeld || (before !== undefined && after !== undefined)) return 'lacks';
  return after === undefined ? pendingOrTooOld(moment) : 'begins_later';
}

/** Looking for a later version is useful only while the present moment itself is near enough. */
function pendingOrTooOld({ atMs, nowMs, nearMs }: Moment): 'pending' | 'too_old' {
  return nowMs <= atMs + nearMs ? 'pending' : 'too_old';
}

function lazyVersion({ firstMs, lastMs, content }: FileVersion): Version {
  let networks: Networks | undefined;
  return {
    firstMs,
    lastMs,
    firstAt: new Date(firstMs).toISOString(),
    lastAt: new Date(lastMs).toISOString(),
    find(address) {
      networks ??= createNetworks(readListContent(content));
      return networks.find(address);
    },
  };
}
