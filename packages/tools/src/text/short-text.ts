/**
 * A text whose JSON has at most `bytesMax` bytes: the text itself, or its beginning with a note of its
 * length.
 */
export function shortText(text: string, bytesMax: number): string {
  const start = startThatFits(text, bytesMax);
  if (start === text) return text;
  const note = `... [shortened from ${text.length} characters]`;
  return `${startThatFits(text, bytesMax - note.length)}${note}`;
}

/**
 * The longest beginning of a text whose JSON has at most `bytesMax` bytes including quotes; '' if
 * there is none.
 */
export function startThatFits(text: string, bytesMax: number): string {
  let start = withoutHalf(text.slice(0, Math.max(0, bytesMax)));
  for (;;) {
    const bytes = jsonBytes(start);
    if (bytes <= bytesMax || start === '') return start;
    start = withoutHalf(start.slice(0, Math.floor((start.length * bytesMax * 0.9) / bytes)));
  }
}

/** How many bytes a text takes as JSON in UTF-8. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Removes half a character at the end, because a cut may split a surrogate pair. */
function withoutHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
