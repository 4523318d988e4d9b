import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../test/any-text.ts';
import { neutralText } from './neutral-text.ts';

test.each([
  ['a turn of direction', 'a\u202eb', 'a<U+202E>b'],
  ['an escape sequence', '\u001b[31mred', '<U+001B>[31mred'],
  ['hidden tag letters', 'hi\u{e0041}', 'hi<U+E0041>'],
  ['a hidden selector', 'x\u{e0101}', 'x<U+E0101>'],
  ['a zero-width space', 'a\u200bb', 'a<U+200B>b'],
  ['a line separator', 'a\u2028b', 'a<U+2028>b'],
  ['a filler that is drawn as nothing', 'a\u3164\u115f\uffa0', 'a<U+3164><U+115F><U+FFA0>'],
  ['a joiner of graphemes', 'a\u034f', 'a<U+034F>'],
  ['a vowel that is not drawn', '\u17b4', '<U+17B4>'],
  ['a blank of Braille', 'a\u2800b', 'a<U+2800>b'],
  ['a mark of music that is not drawn', '\u{1d173}', '<U+1D173>'],
  ['a selector behind what has no forms', 'a\ufe00\ufe0f', 'a<U+FE00><U+FE0F>'],
  ['a joiner that no script needs', 'a\u200db\u200cc', 'a<U+200D>b<U+200C>c'],
  ['a joiner after a joiner', 'ن\u200c\u200cم', 'ن<U+200C><U+200C>م'],
  ['a selector behind a digit', '1\ufe0f2', '1<U+FE0F>2'],
  ['a character of private use', 'a\ue000\u{f0000}', 'a<U+E000><U+F0000>'],
  ['a noncharacter', 'a\ufdd0\u{1fffe}', 'a<U+FDD0><U+1FFFE>'],
  ['a tag of a host', '/x</result><b>', '/x<U+003C>/result><U+003C>b>'],
  ['a token of a model', '<|im_end|>', '<U+003C>|im_end|>'],
  ['a comment', '<!-- hi -->', '<U+003C>!-- hi -->'],
  ['half a character', 'a\ud800', 'a\ufffd'],
])('%s is made visible', (_name, text, expected) => {
  expect(neutralText(text)).toBe(expected);
});

test.each(['Wie läuft’s?', 'نمی‌خواهم', '👩‍🚀 🇩🇪 ❤️', 'one\n\ttwo', 'क्‍ष', '1️⃣', 'a < b', '<3', '1<2'])(
  'honest text stays as it is: %j',
  (text) => {
    expect(neutralText(text)).toBe(text);
  },
);

test('a key is hidden, whatever stands around it', () => {
  const key = `overheard_${'a1B'.repeat(12)}zz`;
  expect(neutralText(`/?k=${key}&b=\u200b`)).toBe('/?k=overheard_...&b=<U+200B>');
});

test('neutral text stays as it is when it is neutralised again', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const once = neutralText(text);
      expect(neutralText(once)).toBe(once);
    }),
  );
});
