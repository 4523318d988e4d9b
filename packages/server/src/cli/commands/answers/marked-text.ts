/** A place in a text, in code points, and the words at it, if known. */
interface Mark {
  readonly position: number;
  readonly text: string;
}

/**
 * A text with `[[` and `]]` around each place. If the text has other words there, as when the place
 * spans lines, only the first word is marked.
 */
export function markedText(text: string, marks: readonly Mark[]): string {
  const ordered = marks.toSorted((left, right) => left.position - right.position);
  let marked = '';
  let [offset, codePoints] = [0, 0];
  for (const { position, text: says } of ordered) {
    // This place is inside the one before.
    if (position < codePoints) continue;
    const start = advance(text, offset, position - codePoints);
    const isSame = says !== '' && text.startsWith(says, start);
    const place = isSame ? says : (/^\S*/.exec(text.slice(start, start + 200))?.[0] ?? '');
    marked += `${text.slice(offset, start)}[[${place}]]`;
    offset = start + place.length;
    codePoints = position + Array.from(place).length;
  }
  return marked + text.slice(offset);
}

/** The offset that is a number of code points after another one. */
function advance(text: string, offset: number, codePoints: number): number {
  let at = offset;
  for (let left = codePoints; left > 0 && at < text.length; left--) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
