/**
 * Makes a function that coalesces lookups: it gathers their keys until `schedule` calls, then reads all
 * values at once, so that every caller shares the cost of one transaction. A value is read after its key
 * was asked for, never before. If the read fails, every caller gets the error.
 */
export function coalesce<Key, Value>(
  readAll: (keys: readonly Key[]) => readonly Value[] | Promise<readonly Value[]>,
  schedule: (flush: () => void) => void,
): (key: Key) => Promise<Value> {
  let waiting: PendingLookup<Key, Value>[] = [];

  return function lookUp(key) {
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length === 1) schedule(() => void flush());
    });
  };

  async function flush(): Promise<void> {
    const gathered = waiting;
    waiting = [];
    try {
      const values = await readAll(gathered.map(({ key }) => key));
      for (const [place, value] of values.entries()) gathered[place]?.resolve(value);
    } catch (error) {
      for (const { reject } of gathered) reject(error);
    }
  }
}

interface PendingLookup<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}
