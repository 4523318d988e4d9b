/** Bytes of ASCII that part what logs write, by their names. */
export const space = 0x20;
export const quote = 0x22;
export const minus = 0x2d;
export const dot = 0x2e;
export const slash = 0x2f;
export const zero = 0x30;
export const colon = 0x3a;
export const bracket = 0x5b;
export const underscore = 0x5f;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 122;
}
