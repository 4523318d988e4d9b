/**
 * Joins lines with foreign text in them, of which nothing may act on the terminal, forge a line, or
 * turn the direction of reading.
 */
export function foreignLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' '))
    .join('\n');
}
