import fc from 'fast-check';

/**
 * Any character of Unicode, as the `unit` of a string. The library's `binary` is the same, but puts
 * all of them into a map when it is first used, which takes a second.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map(toCharacter, toPlace);

/** An address of a site. The library's `webUrl` makes such a map, too. */
export const webAddress: fc.Arbitrary<string> = fc
  .tuple(fc.domain(), fc.webPath({ size: 'small' }))
  .map(([host, path]) => `https://${host}${path}`);

/** Passes over the surrogates, which are no characters. */
function toCharacter(place: number): string {
  return String.fromCodePoint(place < 0xd8_00 ? place : place + 0x8_00);
}

function toPlace(text: unknown): number {
  const point = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== text)
    throw new TypeError('No character');
  return point < 0xd8_00 ? point : point - 0x8_00;
}
