/**
 * Remembers the results of a pure function by its text argument. Forgets all of them past
 * `entriesMax`, and remembers no text longer than `lengthMax`, so that texts that never recur cannot
 * fill the memory.
 */
export function createMemo<Result>(
  compute: (text: string) => Result,
  { entriesMax = 1000, lengthMax = Infinity }: { entriesMax?: number; lengthMax?: number } = {},
): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return function readCached(text) {
    const cached = results.get(text);
    if (cached !== undefined) return cached.result;
    const result = compute(text);
    if (text.length > lengthMax) return result;
    if (results.size >= entriesMax) results.clear();
    // Copy the text, because a slice keeps the whole text that it was cut from.
    results.set(Buffer.from(text).toString(), { result });
    return result;
  };
}
