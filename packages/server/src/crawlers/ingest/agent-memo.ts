import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import { viewOf } from '../written-line.ts';

/** A user agent, and the bot that it claims to be. */
export interface Agent {
  readonly text: string;
  readonly bot: Bot | undefined;
}

/** Knows which bots user agents claim to be, and remembers it. */
export interface AgentMemo {
  find(userAgent: string): Agent;
  /** Finds the user agent that stands, as UTF-8, from `start` to `end`. */
  findIn(bytes: DataView, start: number, end: number): Agent;
  /** Forgets all, and recognises other bots from now on. */
  takeUp(recognise: Recogniser): void;
}

/** User agents remembered, a power of two, and the bytes up to which one is. */
const placesMax = 8192;
const lengthMax = 1024;
/** Places in which one may be: whoever makes up user agents must not make the search long. */
const tries = 4;

interface Known extends Agent {
  readonly hash: number;
  readonly bytes: DataView;
}

/**
 * Makes what remembers user agents: a log of a million lines has a few hundred, so that nearly every
 * line costs one look into a table instead of a search for a hundred tokens. The table goes by bytes: of
 * most lines the user agent need not even become a text.
 */
export function createAgentMemo(recogniser: Recogniser): AgentMemo {
  let recognise = recogniser;
  let places: Array<Known | undefined> = noneKnown();
  return { find, findIn, takeUp };

  function find(userAgent: string): Agent {
    const bytes = viewOf(Buffer.from(userAgent));
    return findIn(bytes, 0, bytes.byteLength);
  }

  function findIn(bytes: DataView, start: number, end: number): Agent {
    const hash = hashOf(bytes, start, end);
    let place = hash & (placesMax - 1);
    for (let offset = 0; offset < tries; offset++) {
      const next = (hash + offset) & (placesMax - 1);
      const known = places[next];
      if (known === undefined) {
        place = next;
        break;
      }
      if (known.hash === hash && isSame(known.bytes, bytes, start, end)) return known;
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
    const found = { text, bot: recognise(text) };
    if (end - start > lengthMax) return found;
    // Not a part of the pool that buffers share: a few bytes of it keep all of it in memory.
    const copy = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end);
    const known = { ...found, hash, bytes: new DataView(copy) };
    places[place] = known;
    return known;
  }

  function takeUp(other: Recogniser): void {
    recognise = other;
    places = noneKnown();
  }
}

function noneKnown(): Array<Known | undefined> {
  return Array.from({ length: placesMax }, () => undefined);
}

/** Two words at a time, which do not wait for each other, and MurmurHash3's ending. */
function hashOf(bytes: DataView, start: number, end: number): number {
  let even = end - start;
  let odd = 0;
  let place = start;
  for (; place + 8 <= end; place += 8) {
    even = (((even << 5) | (even >>> 27)) + bytes.getInt32(place, true)) | 0;
    odd = ((odd << 7) | (odd >>> 25)) ^ bytes.getInt32(place + 4, true);
  }
  for (; place < end; place++) odd = ((odd << 7) | (odd >>> 25)) ^ bytes.getUint8(place);
  let hash = Math.imul(even ^ (even >>> 16) ^ odd, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function isSame(known: DataView, bytes: DataView, start: number, end: number): boolean {
  const length = end - start;
  if (known.byteLength !== length) return false;
  if (length < 16) return isSameShort(known, bytes, start);
  for (let place = 0; place < length; place += 16) {
    // The last of them may be compared in part twice.
    const at = Math.min(place, length - 16);
    const difference =
      (known.getInt32(at, true) ^ bytes.getInt32(start + at, true)) |
      (known.getInt32(at + 4, true) ^ bytes.getInt32(start + at + 4, true)) |
      (known.getInt32(at + 8, true) ^ bytes.getInt32(start + at + 8, true)) |
      (known.getInt32(at + 12, true) ^ bytes.getInt32(start + at + 12, true));
    if (difference !== 0) return false;
  }
  return true;
}

function isSameShort(known: DataView, bytes: DataView, start: number): boolean {
  for (let place = 0; place < known.byteLength; place++) {
    if (known.getUint8(place) !== bytes.getUint8(start + place)) return false;
  }
  return true;
}
