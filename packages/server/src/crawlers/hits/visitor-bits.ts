import type { Kysely } from 'kysely';
import { createDayBits, readDayBits } from '../../storage/bits/day-bits.ts';
import type { DataTables } from '../../storage/schema.ts';
import { networkKey } from '../../values/addresses/address.ts';
import type { Address } from '../../values/addresses/address.ts';
import type { Identity } from './identity.ts';

/**
 * Each day has a [Bloom filter](https://en.wikipedia.org/wiki/Bloom_filter) of its ordinary visitors: two of
 * 2^20 bits for each keyed network, because a proxy sends bots and visitors from neighbouring addresses. Bits
 * are set by OR, so order, split and repetition change nothing, and no visitor has a row. By chance a network
 * has both bits of others on one of 15 days: 1 of 200 with 10,000 visitors' networks a day, 2 of 5 with
 * 100,000. That excuses a forger and never accuses anyone.
 */
const positionBits = 20;

/** For how many days before and after a visit its network counts as a visitors'. */
export const visitedDays = 7;

/** Gathers the bits of visitors until they are written. */
export function createVisitorBits(identity: Identity) {
  const bits = createDayBits('visitor_bits');
  const positionsOf = createPositions(identity);
  return Object.assign(bits, { add });

  function add(address: Address, day: number): void {
    const [first, second] = positionsOf(address, day);
    bits.setBit(day, first);
    bits.setBit(day, second);
  }
}

/**
 * Reads the visitors of a day and of the days around it: a function that says whether an address may be in
 * one of their networks.
 */
export async function readVisitors(
  db: Kysely<DataTables>,
  workspaceId: string,
  { day, identity }: { day: number; identity: Identity },
): Promise<(address: Address) => boolean> {
  const days = await Promise.all(
    Array.from({ length: 2 * visitedDays + 1 }, async (_, index) => {
      const near = day - visitedDays + index;
      const bits = await readDayBits(db, workspaceId, { table: 'visitor_bits', day: near });
      return { near, hasBit: bits.hasBit, positionsOf: createPositions(identity) };
    }),
  );
  return (address) =>
    days.some(({ near, hasBit, positionsOf }) => positionsOf(address, near).every(hasBit));
}

/** The two positions of an address's network among the bits of a day, under the workspace's secret. */
function createPositions({ visitorSeeds }: Identity) {
  let seedsDay: number | undefined;
  let seeds: readonly [number, number] = [0, 0];
  return function positionsOf(address: Address, day: number): readonly [number, number] {
    if (day !== seedsDay) [seedsDay, seeds] = [day, visitorSeeds(day)];
    const shift = 32 - positionBits;
    const key = networkKey(address);
    return [hash(key, seeds[0]) >>> shift, hash(key, seeds[1]) >>> shift];
  };
}

/** Mixes words of four bytes with the finaliser of MurmurHash3: an HMAC of each line takes too long. */
function hash(key: string, seed: number): number {
  let mixed = seed;
  for (let index = 1; index < key.length; index += 4) {
    for (let at = index; at < index + 4; at++) mixed ^= key.charCodeAt(at) << (8 * (at - index));
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed;
}
