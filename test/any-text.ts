import fc from 'fast-check';

/**
 * Any character of Unicode, as the `unit` of a string. The library's `binary` is the same, but puts
 * all of them into a map when it is first used, which takes a second.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map(toCharacter, toPlace);

/** An address as the library's `webUrl` draws it, which makes such a map, too. */
export const webAddress: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.webPath())
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`);

/** Passes over the surrogates, which are no characters. */
function toCharacter(place: number): string {
  return String.fromCodePoint(place < 0xd8_00 ? place : place + 0x8_00);
}

/** The way back, without which the library leaves out strings such as `__proto__`. */
function toPlace(text: unknown): number {
  const point = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== text)
    throw new TypeError('No character');
  return point < 0xd8_00 ? point : point - 0x8_00;
}
