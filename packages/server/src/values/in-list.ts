/** Words in a list: `a`, `a and b`, `a, b and c`. */
export function inList(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
