import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../test/any-text.ts';
import { printable, escapeUnseen } from './printable.ts';

const acting = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

test('no text has a character left that a terminal or a log acts on', () => {
  const foreign = fc.string({ unit: codePoint });
  fc.assert(
    fc.property(foreign, fc.integer({ min: 1, max: 40 }), (text, lengthMax) => {
      const line = printable(text, { lengthMax });
      expect(line).not.toMatch(acting);
      expect(line.length).toBeLessThanOrEqual(lengthMax);
      expect(escapeUnseen(text)).not.toMatch(acting);
    }),
  );
});

test.each([
  ['an escape code', '\u001b[31mred', '\u{fffd}[31mred'],
  ['a line end', 'one\r\ntwo\u2028three', 'one two three'],
  ['a tab', 'a\tb', 'a b'],
  ['a mark that turns the direction', 'abc\u202edef', 'abc\u{fffd}def'],
  ['half of a surrogate pair', 'a\ud800b', 'a\u{fffd}b'],
  ['a joiner of Persian', 'می‌خواهم', 'می‌خواهم'],
  ['an emoji of a family', '👨‍👩‍👧', '👨‍👩‍👧'],
])('foreign text with %s is printed safely', (_what, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test.each([
  ['an emoji of a family', 'ab👨‍👩‍👧cd', 6, 'ab…'],
  ['a surrogate pair', 'ab😀cd', 4, 'ab…'],
  ['a letter with two marks', 'abe\u0301\u0323cd', 5, 'ab…'],
  ['nothing that belongs together', 'abcdef', 4, 'abc…'],
  [
    'more marks than any script has',
    `ab${'\u0301'.repeat(500)}`,
    200,
    `ab${'\u0301'.repeat(197)}…`,
  ],
])('long text is not cut within %s', (_what, text, lengthMax, expected) => {
  expect(printable(text, { lengthMax })).toBe(expected);
});

test('a message spells out characters that cannot be seen', () => {
  expect(escapeUnseen('chat\u200bgpt\u0007')).toBe('chat\\u{200b}gpt\\u{7}');
});
