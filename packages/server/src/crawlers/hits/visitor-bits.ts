import type { Kysely, Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { networkKey } from '../../values/addresses/address.ts';
import type { Address } from '../../values/addresses/address.ts';
import type { Identity } from './identity.ts';

/**
 * Each day has a [Bloom filter](https://en.wikipedia.org/wiki/Bloom_filter) of its ordinary visitors: two of
 * 2^20 bits for each keyed network, because a proxy sends bots and visitors from neighbouring addresses. Bits
 * are set by OR, so order, split and repetition change nothing, and no visitor has a row. By chance a network
 * has both bits of others: 1 of 3,000 with 10,000 visitors' networks a day, 1 of 30 with 100,000. That excuses
 * a forger and never accuses anyone.
 */
const positionBits = 20;
/** A day's filter is stored in parts of 1 KiB, so that a new visitor rewrites 2 KiB. */
const partBits = 8192;
const partsPerDay = 2 ** positionBits / partBits;
const partsAtOnce = 64;
/** Parts in memory, 1 MiB: clients do not choose the days of a log, but its owner may mix years. */
const partsMax = 1024;

/** Gathers the bits of visitors until they are written. */
export function createVisitorBits(identity: Identity) {
  const parts = new Map<number, Uint8Array>();
  const changed = new Set<number>();
  const positionsOf = createPositions(identity);
  return {
    add,
    write,
    forget,
    get isEmpty() {
      return changed.size === 0;
    },
    get isFull() {
      return changed.size >= partsMax;
    },
  };

  function add(address: Address, day: number): void {
    const [first, second] = positionsOf(address, day);
    setBit(day, first);
    setBit(day, second);
  }

  function setBit(day: number, position: number): void {
    const slot = slotOf(day, position);
    const part = partOf(slot);
    const index = byteOf(position);
    const byte = part[index] ?? 0;
    const joined = byte | maskOf(position);
    if (joined === byte) return;
    part[index] = joined;
    changed.add(slot);
  }

  function partOf(slot: number): Uint8Array {
    const known = parts.get(slot);
    if (known !== undefined) return known;
    const part = new Uint8Array(partBits / 8);
    parts.set(slot, part);
    return part;
  }

  /**
   * Adds the bits to those stored, and returns the days that have new ones. Call `forget` once they are
   * committed.
   */
  async function write(
    transaction: Transaction<DataTables>,
    workspaceId: string,
  ): Promise<readonly number[]> {
    const days = new Set<number>();
    for (const slots of inChunks([...changed], partsAtOnce)) {
      const stored = await transaction
        .selectFrom('visitor_bits')
        .select(['slot', 'bits'])
        .where('workspace_id', '=', workspaceId)
        .where('slot', 'in', slots)
        .execute();
      for (const { slot, bits } of stored) join(partOf(slot), bits);
      const bitsOf = new Map(stored.map(({ slot, bits }) => [slot, bits]));
      const added = slots
        .map((slot) => ({ workspace_id: workspaceId, slot, bits: Buffer.from(partOf(slot)) }))
        .filter(({ slot, bits }) => !bits.equals(bitsOf.get(slot) ?? Buffer.alloc(0)));
      for (const { slot } of added) days.add(Math.floor(slot / partsPerDay));
      for (const rows of inChunks(added, partsAtOnce)) {
        await transaction
          .insertInto('visitor_bits')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['workspace_id', 'slot'])
              .doUpdateSet((update) => ({ bits: update.ref('excluded.bits') })),
          )
          .execute();
      }
    }
    return [...days];
  }

  /** Forgets what is written. Some of it stays, so that a visitor's next line writes nothing. */
  function forget(): void {
    changed.clear();
    if (parts.size > partsMax) parts.clear();
  }
}

/** Reads the visitors of a day: a function that says whether an address may be in one of their networks. */
export async function readVisitors(
  db: Kysely<DataTables>,
  workspaceId: string,
  { day, identity }: { day: number; identity: Identity },
): Promise<(address: Address) => boolean> {
  const rows = await db
    .selectFrom('visitor_bits')
    .select(['slot', 'bits'])
    .where('workspace_id', '=', workspaceId)
    .where('slot', '>=', day * partsPerDay)
    .where('slot', '<', (day + 1) * partsPerDay)
    .execute();
  const parts = new Map(rows.map(({ slot, bits }) => [slot, bits]));
  const positionsOf = createPositions(identity);
  return (address) =>
    positionsOf(address, day).every((position) => {
      const byte = parts.get(slotOf(day, position))?.[byteOf(position)] ?? 0;
      return (byte & maskOf(position)) !== 0;
    });
}

/** Removes the bits of all days before this one. */
export async function removeVisitorsBefore(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  day: number,
): Promise<void> {
  await transaction
    .deleteFrom('visitor_bits')
    .where('workspace_id', '=', workspaceId)
    .where('slot', '<', day * partsPerDay)
    .execute();
}

/** Adds bits to a part. */
function join(part: Uint8Array, bits: Uint8Array): void {
  for (const [index, byte] of part.entries()) part[index] = byte | (bits[index] ?? 0);
}

function slotOf(day: number, position: number): number {
  return day * partsPerDay + Math.floor(position / partBits);
}

function byteOf(position: number): number {
  return (position % partBits) >> 3;
}

function maskOf(position: number): number {
  return 1 << (position & 7);
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
