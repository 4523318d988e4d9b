import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';
import { createDayBits, readDayBits } from './day-bits.ts';

/**
 * Each day has two [Bloom filters](https://en.wikipedia.org/wiki/Bloom_filter) of 2^20 bits: of the pages
 * (host and path) that ordinary visitors got with a status under 400, and of those that refused them with
 * 401 or 403. A page sets two bits, keyed by the workspace's secret. A row for each page would let a
 * stranger fill the disk with made-up paths; rows for the pages that refuse a bot alone would depend on
 * which log is read first. A day has 256 KiB at most, whatever is requested.
 */
const filterBits = 20;
/** By chance, a page has both bits of others. From this share of set bits on (1 of 256 pages), say nothing. */
const filledMax = 1 / 16;

/** Where the positions of a filter begin. */
const filters = { got: 0, refused: 2 ** filterBits } as const;

interface Page {
  readonly host: string | null;
  readonly path: string;
}

/** What visitors got of a page on a day. Undefined where too many pages of the day hide it. */
export interface PathFacts {
  readonly isGot: boolean | undefined;
  readonly isRefused: boolean | undefined;
}

/** Gathers the statuses that visitors got until they are written. */
export function createPathBits(secret: Buffer) {
  const bits = createDayBits('path_bits');
  const positionsOf = createPositions(secret);
  return Object.assign(bits, { add });

  function add(page: Page & { readonly status: number | null }, day: number): void {
    const status = page.status ?? 0;
    const isRefused = status === 401 || status === 403;
    if (!isRefused && (status < 200 || status >= 400)) return;
    const start = isRefused ? filters.refused : filters.got;
    const [first, second] = positionsOf(page, day);
    bits.setBit(day, start + first);
    bits.setBit(day, start + second);
  }
}

/** Reads what visitors got on a day: a function of a page. */
export async function readPathFacts(
  db: Kysely<DataTables>,
  workspaceId: string,
  day: number,
): Promise<(page: Page) => PathFacts> {
  const settings = await db
    .selectFrom('crawler_settings')
    .select('secret')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const { hasBit, countBits } = await readDayBits(db, workspaceId, { table: 'path_bits', day });
  const positionsOf = createPositions(Buffer.from(settings?.secret ?? '', 'hex'));
  const [got, refused] = [createFilter(filters.got), createFilter(filters.refused)];
  return (page) => ({ isGot: got(page), isRefused: refused(page) });

  function createFilter(start: number) {
    const isFull = countBits(start, start + 2 ** filterBits) > filledMax * 2 ** filterBits;
    return (page: Page): boolean | undefined => {
      // A bit that is not set is certain, however many others are.
      if (!positionsOf(page, day).every((position) => hasBit(start + position))) return false;
      return isFull ? undefined : true;
    };
  }
}

/** The two positions of a page among the bits of a day, under the workspace's secret. */
function createPositions(secret: Buffer) {
  let seedsDay: number | undefined;
  let seeds: readonly [number, number] = [0, 0];
  return function positionsOf({ host, path }: Page, day: number): readonly [number, number] {
    if (day !== seedsDay) [seedsDay, seeds] = [day, seedsOf(secret, day)];
    let [first, second] = seeds;
    const text = host === null ? path : host + path;
    // An HMAC of each line takes too long: two hashes by multiplication in one pass.
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      first = Math.imul(first ^ code, 0x85ebca6b);
      second = Math.imul(second ^ code, 0xc2b2ae35);
    }
    return [positionOf(first), positionOf(second)];
  };
}

function seedsOf(secret: Buffer, day: number): readonly [number, number] {
  const digest = createHmac('sha256', secret).update(`paths\0${day}`).digest();
  return [digest.readInt32BE(0), digest.readInt32BE(4)];
}

/** Mixes a hash with the finaliser of MurmurHash3, and takes its first bits. */
function positionOf(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> (32 - filterBits);
}
