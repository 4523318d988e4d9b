/**
 * Remembers results of a pure function by its text. It forgets all of them past `entriesMax`: texts
 * that recur come back at once, and texts that never do cannot fill the memory.
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
