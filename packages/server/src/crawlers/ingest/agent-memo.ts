import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { LogFormat } from '../formats/format.ts';

interface Entry {
  readonly bytes: Uint8Array;
  readonly bot: Bot | undefined;
  readonly next: Entry | undefined;
}

/** Distinct user agents remembered, and the length up to which one is. */
const entriesMax = 8192;
const bytesMax = 1024;

/**
 * Remembers which bot each user agent is, by its bytes: a log of a million lines has a few hundred
 * user agents, so that nearly every line costs one hash and one comparison instead of a search.
 */
export function createAgentMemo(
  recognise: Recogniser,
  { decodeUserAgent }: Pick<LogFormat, 'decodeUserAgent'>,
): { find(bytes: Buffer, start: number, end: number): Bot | undefined } {
  let entries = new Map<number, Entry>();
  return { find };

  function find(bytes: Buffer, start: number, end: number): Bot | undefined {
    const length = end - start;
    // Some bytes of it tell nearly all apart; the comparison is whole.
    const key = sampleHash(bytes, start, length);
    for (let entry = entries.get(key); entry !== undefined; entry = entry.next) {
      if (isSame(entry.bytes, bytes, start, length)) return entry.bot;
    }
    const bot = recognise(decodeUserAgent(bytes.toString('utf8', start, end)));
    if (length <= bytesMax) remember(key, bytes.subarray(start, end), bot);
    return bot;
  }

  function remember(key: number, bytes: Uint8Array, bot: Bot | undefined): void {
    // Whoever makes up user agents must not fill the memory: begin again.
    if (entries.size >= entriesMax) entries = new Map();
    entries.set(key, { bytes: Uint8Array.from(bytes), bot, next: chainOf(key) });
  }

  /** What has the same hash is kept too, but no long chain of it. */
  function chainOf(key: number): Entry | undefined {
    const first = entries.get(key);
    let length = 0;
    for (let entry = first; entry !== undefined; entry = entry.next) length++;
    return length < 32 ? first : undefined;
  }
}

function sampleHash(bytes: Uint8Array, start: number, length: number): number {
  let hash = length;
  const step = length <= 24 ? 1 : Math.floor(length / 24);
  for (let index = start + length - 1; index >= start; index -= step) {
    hash = (Math.imul(hash, 31) + (bytes[index] ?? 0)) | 0;
  }
  return hash;
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (known[index] !== bytes[start + index]) return false;
  }
  return true;
}
