/** Compares by code points, as both databases do. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/**
 * Makes a function that turns offsets in code points into offsets in code units. In ascending order
 * the text is read once.
 */
export function createCodePointReader(text: string): (codePoints: number) => number {
  let [at, before] = [0, 0];
  return (codePoints) => {
    if (codePoints < before) [at, before] = [0, 0];
    for (; before < codePoints && at < text.length; before += 1) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    return at;
  };
}
