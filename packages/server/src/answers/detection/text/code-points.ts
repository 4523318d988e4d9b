/**
 * Makes a function that turns offsets in code units into offsets in code points. Ask for them in
 * ascending order: the text is then read once.
 */
export function createCodePointCounter(text: string): (offset: number) => number {
  let pairs = 0;
  let at = 0;
  return function codePointsBefore(offset) {
    for (; at < offset; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1;
    }
    return offset - pairs;
  };
}
