import { placeHost, placesOf, placeText } from '../../../values/owned-path.ts';
import type { PathPlace } from '../../../values/owned-path.ts';
import { targetOf } from './host.ts';

/** Of one owned path, which subject's it is. */
export interface OwnedPath {
  readonly path: string;
  /** Number of the subject. */
  readonly owner: number;
}

/** Longer paths are compared by their beginning. */
const segmentsMax = 30;

/**
 * Makes a function that finds whose the page of an address is: the subject with the longest owned
 * path that the page is, or lies below. Whole segments are compared. Undefined where no path fits.
 */
export function createPathOwners(
  paths: readonly OwnedPath[],
): (address: string, host: string) => number | undefined {
  const owners = new Map<string, number>();
  const hosts = new Set<string>();
  for (const { path, owner } of paths) {
    const url = URL.parse(`https://${path}`);
    if (url === null) continue;
    const [place] = placesOf(url);
    owners.set(placeText(place), owner);
    hosts.add(place.host);
  }

  return function pathOwnerOf(address, host) {
    if (hosts.size === 0 || !hosts.has(placeHost(host))) return undefined;
    const url = targetOf(address);
    if (url === undefined) return undefined;
    return placesOf(url)
      .map(find)
      .find((owner) => owner !== undefined);
  };

  function find({ host, segments }: PathPlace): number | undefined {
    for (let count = Math.min(segments.length, segmentsMax); count > 0; count -= 1) {
      const owner = owners.get(placeText({ host, segments: segments.slice(0, count) }));
      if (owner !== undefined) return owner;
    }
    return undefined;
  }
}
