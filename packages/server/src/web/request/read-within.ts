import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from '../../storage/unavailable.ts';

/**
 * Reads a value per id, two at a time, so that other pages get their turn. Returns what it has read
 * after `waitMs`, or when the database becomes unavailable.
 */
export async function readWithin<Value>(
  waitMs: number,
  ids: readonly string[],
  read: (id: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  const ended = new AbortController();
  // Both loops share the iterator.
  const queue = ids.values();
  const loop = async (): Promise<void> => {
    for (const id of queue) {
      if (ended.signal.aborted) return;
      values.set(id, await read(id));
    }
  };
  const reading = Promise.all([loop(), loop()]).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
  });
  const late = setTimeout(waitMs, undefined, { signal: ended.signal }).catch(() => {});
  try {
    await Promise.race([reading, late]);
    return new Map(values);
  } finally {
    ended.abort();
  }
}
