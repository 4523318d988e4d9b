import type { Kysely, Transaction } from 'kysely';
import { inChunks } from '../chunks.ts';
import type { DataTables } from '../schema.ts';

/** The tables of days' bits, and how many bits a day has in each, as a power of two. */
const tables = { visitor_bits: 20, path_bits: 21 } as const;

type BitsTable = keyof typeof tables;

/** A day's bits are stored in parts of 1 KiB, so that a new bit rewrites 1 KiB. */
const partBits = 8192;
const partsAtOnce = 64;
/** Parts in memory, 1 MiB: clients do not choose the days of a log, but its owner may mix years. */
const partsMax = 1024;

/**
 * Gathers the bits of days until they are written. Bits are set by OR, so order, split and repetition
 * change nothing. A day is a number of days since 1970.
 */
export function createDayBits(table: BitsTable) {
  const parts = new Map<number, Uint8Array>();
  const changed = new Set<number>();
  return {
    setBit,
    write,
    forget,
    get isEmpty() {
      return changed.size === 0;
    },
    get isFull() {
      return changed.size >= partsMax;
    },
  };

  function setBit(day: number, position: number): void {
    const slot = slotOf(table, day, position);
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
        .selectFrom(table)
        .select(['slot', 'bits'])
        .where('workspace_id', '=', workspaceId)
        .where('slot', 'in', slots)
        .execute();
      for (const { slot, bits } of stored) join(partOf(slot), bits);
      const bitsOf = new Map(stored.map(({ slot, bits }) => [slot, bits]));
      const added = slots
        .map((slot) => ({ workspace_id: workspaceId, slot, bits: Buffer.from(partOf(slot)) }))
        .filter(({ slot, bits }) => !bits.equals(bitsOf.get(slot) ?? Buffer.alloc(0)));
      for (const { slot } of added) days.add(Math.floor(slot / partsPerDay(table)));
      for (const rows of inChunks(added, partsAtOnce)) {
        await transaction
          .insertInto(table)
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

  /** Forgets what is written. Some of it stays, so that a known bit's next line writes nothing. */
  function forget(): void {
    changed.clear();
    if (parts.size > partsMax) parts.clear();
  }
}

/** The bits of a day as they are stored. */
export async function readDayBits(
  db: Kysely<DataTables>,
  workspaceId: string,
  { table, day }: { table: BitsTable; day: number },
) {
  const rows = await db
    .selectFrom(table)
    .select(['slot', 'bits'])
    .where('workspace_id', '=', workspaceId)
    .where('slot', '>=', day * partsPerDay(table))
    .where('slot', '<', (day + 1) * partsPerDay(table))
    .execute();
  const parts = new Map(rows.map(({ slot, bits }) => [slot, bits]));
  return { hasBit, countBits };

  function hasBit(position: number): boolean {
    const byte = parts.get(slotOf(table, day, position))?.[byteOf(position)] ?? 0;
    return (byte & maskOf(position)) !== 0;
  }

  /** How many bits are set from a position on and before another one. Both begin a part. */
  function countBits(from: number, before: number): number {
    let count = 0;
    for (let position = from; position < before; position += partBits) {
      for (let bits of parts.get(slotOf(table, day, position)) ?? []) {
        for (; bits > 0; bits &= bits - 1) count++;
      }
    }
    return count;
  }
}

/** Removes the bits of all days before this one. */
export async function removeBitsBefore(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { table, day }: { table: BitsTable; day: number },
): Promise<void> {
  await transaction
    .deleteFrom(table)
    .where('workspace_id', '=', workspaceId)
    .where('slot', '<', day * partsPerDay(table))
    .execute();
}

/** Adds bits to a part. */
function join(part: Uint8Array, bits: Uint8Array): void {
  for (let index = 0; index < part.length; index++) {
    part[index] = (part[index] ?? 0) | (bits[index] ?? 0);
  }
}

function partsPerDay(table: BitsTable): number {
  return 2 ** tables[table] / partBits;
}

function slotOf(table: BitsTable, day: number, position: number): number {
  return day * partsPerDay(table) + Math.floor(position / partBits);
}

function byteOf(position: number): number {
  return (position % partBits) >> 3;
}

function maskOf(position: number): number {
  return 1 << (position & 7);
}
