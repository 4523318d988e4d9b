import fc from 'fast-check';
import { codePoint } from '../../../test/any-text.ts';

/** Ranges of characters that tokenizers spell in bytes, or cut finely, and some that they know well. */
const ranges: ReadonlyArray<readonly [number, number]> = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0x41, 0x5a],
  [0x30, 0x39],
  [0xa1, 0xff],
  [0x180, 0x24f],
  [0x250, 0x2af],
  [0x300, 0x36f],
  [0x400, 0x4ff],
  [0x5d0, 0x6ff],
  [0x900, 0x97f],
  [0xe01, 0xe5b],
  [0x1e00, 0x1eff],
  [0x2070, 0x209c],
  [0x2150, 0x218b],
  [0x3040, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xffee],
  [0x10400, 0x1044f],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x2a6df],
];

/** A character: of all of one range, or one of a few. */
const alphabet = fc.oneof(
  fc
    .constantFrom(...ranges)
    .map(([first, last]) =>
      fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code)),
    ),
  fc
    .constantFrom(
      'bcdfghjklmnpqrstvwxz',
      '²³¹¼½¾',
      '0123456789abcdef',
      'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_',
      '!"#$%&*+,-./:;<=>?@^_`{|}~\\\'',
      '¤¦§¨ª¬®¯±´¶¸¿×÷',
      '🏽👩‍❤️🇩🇪',
      ' \n\t\u00a0\u3000',
      "'sdmtlvreSDMTLVRE",
      'Ǆǅǆǈ',
    )
    .map((characters) => fc.constantFrom(...characters)),
);

/** Words of one alphabet, all of one length, with a mark between them. */
const sameWords = fc
  .record({
    characters: alphabet,
    length: fc.integer({ min: 1, max: 40 }),
    mark: fc.constantFrom('/', '-', ' ', '', '.', '"', '\n', '%20'),
  })
  .chain(({ characters, length, mark }) =>
    fc
      .array(fc.array(characters, { minLength: length, maxLength: length }), {
        minLength: 1,
        maxLength: 25,
      })
      .map((words) => words.map((word) => word.join('')).join(mark)),
  );

/** Texts that cost a model far more than their length: the worst that a stranger can put into a row. */
export const noise: fc.Arbitrary<string> = fc.oneof(
  sameWords,
  fc.array(sameWords, { minLength: 2, maxLength: 4 }).map((texts) => texts.join('/')),
  fc.string({ unit: codePoint, maxLength: 200 }),
  fc.lorem({ maxCount: 40 }),
);
