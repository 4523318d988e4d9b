/** How often each value occurs, most frequent first, ties by the value. */
export function tally(values: Iterable<string>): ReadonlyArray<readonly [string, number]> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** A tally as words, `GPTBot 12, ClaudeBot 3 and 4 more`. */
export function tallyText(counts: ReadonlyArray<readonly [string, number]>, shownMax = 8): string {
  const words = counts.slice(0, shownMax).map(([value, count]) => `${value} ${count}`);
  const more = counts.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `12 of 40 (30.0 %)`, or `12 of 40 runs (30.0 %)`; without a percentage if the whole is 0. */
export function shareText(part: number, whole: number, what = ''): string {
  const count = `${part} of ${whole}${what === '' ? '' : ` ${what}`}`;
  return whole === 0 ? count : `${count} (${((100 * part) / whole).toFixed(1)} %)`;
}
