/**
 * Remembers the results of a pure function by its text argument. Forgets all of them past
 * `entriesMax`, so that texts that never recur cannot fill the memory.
 */
export function createMemo<Result>(
  compute: (text: string) => Result,
  { entriesMax = 1000 }: { entriesMax?: number } = {},
): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return function readCached(text) {
    const cached = results.get(text);
    if (cached !== undefined) return cached.result;
    const result = compute(text);
    if (results.size >= entriesMax) results.clear();
    results.set(text, { result });
    return result;
  };
}
