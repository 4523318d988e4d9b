import type { Address } from '../address.ts';
import { catalogueNetworks } from '../bots/catalogue.ts';
import { createNetworks, parseNetwork } from '../networks.ts';
import type { Networks } from '../networks.ts';
import { readListContent } from './file-versions.ts';
import type { FileVersion } from './file-versions.ts';

/**
 * What a list says of an address at a moment:
 * - `has`: the version nearest to the moment has it.
 * - `lacks`: a version that held at the moment lacks it, or one before and one after the moment do.
 * - `changed`: one version near the moment has it, another one lacks it.
 * - `pending`: only a version before the moment is here; the next one can decide.
 * - `begins_later`: only a version after the moment is here.
 * - `too_old`: no version is near enough, and none will be.
 * - `missing`: there is no such list.
 */
export interface ListAnswer {
  readonly listId: string;
  readonly standing:
    | 'has'
    | 'lacks'
    | 'changed'
    | 'pending'
    | 'begins_later'
    | 'too_old'
    | 'missing';
  /** The time for which the version held that the answer rests on. */
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

/** Operators' dated lists, ready to be asked. */
export interface Lists {
  ask(listId: string, address: Address, moment: Moment): ListAnswer;
  /** The list among these that has had the address at any time. */
  findEver(listIds: readonly string[], address: Address): string | undefined;
  /** Whether one of these lists had the address at the moment. */
  hadAt(listIds: readonly string[], address: Address, moment: Moment): boolean;
  /** The ids of an operator's lists: those whose ids begin with `prefix`. */
  idsOf(prefix: string): readonly string[];
}

/** Lists of proxies and content networks, by their ids. */
export const proxyPrefix = 'proxy/';

interface Version extends Pick<FileVersion, 'firstMs' | 'lastMs'> {
  readonly firstAt: string;
  readonly lastAt: string;
  readonly networks: Networks;
}

/** Makes lists of the files kept. Each is sorted when it is first asked. */
export function createLists(files: ReadonlyMap<string, readonly FileVersion[]>): Lists {
  const sorted = new Map<string, readonly Version[]>();
  const ever = new Map<string, Networks>();
  const ids = [...new Set([...files.keys(), ...catalogueNetworks.keys()])].toSorted();
  const byPrefix = new Map<string, readonly string[]>();
  return { ask, findEver, hadAt, idsOf };

  function ask(listId: string, address: Address, moment: Moment): ListAnswer {
    const versions = versionsOf(listId);
    if (versions.length === 0) return { listId, standing: 'missing' };
    const near = findNear(versions, moment);
    const nearest = nearestOf(near, moment);
    const { firstAt, lastAt } = nearest ?? versions.at(-1) ?? {};
    if (nearest === undefined)
      return { listId, standing: pendingOrTooOld(moment), firstAt, lastAt };
    const network = nearest.networks.find(address)?.text;
    const standing = network === undefined ? standingOf(near, address, moment) : 'has';
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

  function idsOf(prefix: string): readonly string[] {
    const known = byPrefix.get(prefix) ?? ids.filter((id) => id.startsWith(prefix));
    byPrefix.set(prefix, known);
    return known;
  }

  function versionsOf(listId: string): readonly Version[] {
    const known = sorted.get(listId) ?? (files.get(listId) ?? []).map(sortVersion);
    sorted.set(listId, known);
    return known;
  }

  function everOf(listId: string): Networks {
    const known = ever.get(listId);
    if (known !== undefined) return known;
    const contents = (files.get(listId) ?? []).flatMap(({ content }) => readListContent(content));
    const texts = new Set([...contents, ...(catalogueNetworks.get(listId) ?? [])]);
    const made = networksOf([...texts]);
    ever.set(listId, made);
    return made;
  }
}

/** The versions near a moment: those that held at it, and the nearest one on each side. */
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

/** Of versions that are as near, the later one. */
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

/** The nearest version lacks the address: do the others agree? */
function standingOf(
  { spanning, before, after }: NearVersions,
  address: Address,
  moment: Moment,
): ListAnswer['standing'] {
  const has = (version: Version | undefined) => version?.networks.find(address) !== undefined;
  const isHeld = spanning.length > 0;
  // What was dropped before the list was made that held at the moment was dropped before the moment.
  if (spanning.some(has) || has(after) || (!isHeld && has(before))) return 'changed';
  if (isHeld || (before !== undefined && after !== undefined)) return 'lacks';
  return after === undefined ? pendingOrTooOld(moment) : 'begins_later';
}

/** A version that comes yet can be near enough only as long as now is. */
function pendingOrTooOld({ atMs, nowMs, nearMs }: Moment): 'pending' | 'too_old' {
  return nowMs <= atMs + nearMs ? 'pending' : 'too_old';
}

function sortVersion({ firstMs, lastMs, content }: FileVersion): Version {
  return {
    firstMs,
    lastMs,
    firstAt: new Date(firstMs).toISOString(),
    lastAt: new Date(lastMs).toISOString(),
    networks: networksOf(readListContent(content)),
  };
}

function networksOf(texts: readonly string[]): Networks {
  return createNetworks(texts.flatMap((text) => parseNetwork(text) ?? []));
}
