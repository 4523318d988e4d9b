/**
 * Remembers the results of a pure function by its text argument. Forgets all of them past
 * `entriesMax`, so that texts that never recur cannot fill the memory.
 */
export function createMemo<Result>(
  compute: (text: string) => Result,
  { entriesMax = 1000 }: { entriesMax?: number } = {},
): (text: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return function remembered(text) {
    const found = known.get(text);
    if (found !== undefined) return found.result;
    const result = compute(text);
    if (known.size >= entriesMax) known.clear();
    known.set(text, { result });
    return result;
  };
}
