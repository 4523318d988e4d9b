import { isIpv4 } from '../address.ts';
import { findNotGlobal, parseNetwork } from '../networks.ts';
import type { Network } from '../networks.ts';
import { proxyPrefix } from './lists.ts';
import { formOf } from './list-file.ts';

/** A list may grow by this many entries, or to this many times its size, before it is questioned. */
const growth = { entries: 20, times: 3 } as const;

/** A first text file of more single addresses than this may be the visitors in a log. */
const singlesMax = 20;

/** Operators' networks are narrower by far. Content networks do have wider ones. */
const bitsMin = { 4: 16, 6: 32 } as const;

/**
 * Why a list is unlikely to be its operator's, as a sentence; undefined if it may be. An address in a
 * list makes a hit verified, so a list with too much in it lets forgers pass.
 */
export function findUnlikely(
  id: string,
  next: readonly string[],
  /** The version before it in time; undefined if there is none. */
  previous: readonly string[] | undefined,
): string | undefined {
  const networks = parseAll(next);
  const inside = findNotGlobal(networks);
  if (inside !== undefined) return `${inside.text} is not a network of the internet.`;
  if (id.startsWith(proxyPrefix)) return undefined;
  const wide = networks.find(({ bits, first }) => bits < bitsMin[isIpv4(first) ? 4 : 6]);
  if (wide !== undefined) return `${wide.text} is too wide for an operator of bots.`;
  const singles = networks.filter(isSingle).length;
  if (previous === undefined) {
    const isText = ['own', 'geofeed'].includes(formOf(id));
    if (!isText || singles <= singlesMax || singles * 2 <= next.length) return undefined;
    return `It has ${singles} single addresses, as the visitors in a log have.`;
  }
  const before = previous.length;
  if (next.length > before * growth.times && next.length > before + growth.entries) {
    return `It has ${next.length} entries; the version before it has ${before}.`;
  }
  if (singles === 0 || parseAll(previous).some(isSingle)) return undefined;
  return `It has ${singles} single addresses; the version before it has none.`;
}

function parseAll(prefixes: readonly string[]): Network[] {
  return prefixes.flatMap((text) => parseNetwork(text) ?? []);
}

function isSingle({ first, bits }: Network): boolean {
  return bits === (isIpv4(first) ? 32 : 128);
}
