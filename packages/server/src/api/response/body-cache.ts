import { LRUCache } from 'lru-cache';

/** Answers that are ready to send. */
export interface BodyCache {
  get(key: string): Buffer | undefined;
  set(key: string, body: Buffer): void;
}

/** One answer may take this share of the cache. */
const shareMax = 8;

/**
 * The one cache, bounded in bytes. Its keys hold the workspace, the endpoint and the entity tag, and
 * so the revision: whatever is found under a key is that state's answer, and stale ones are no
 * longer asked for.
 */
export function createBodyCache({ bytesMax }: { bytesMax: number }): BodyCache {
  if (bytesMax === 0) return { get: () => undefined, set: () => {} };
  const bodies = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / shareMax),
    sizeCalculation: (body, key) => body.byteLength + key.length * 2 + 100,
  });
  return {
    get: (key) => bodies.get(key),
    set: (key, body) => {
      bodies.set(key, body);
    },
  };
}
