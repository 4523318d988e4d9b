import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../../test/any-text.ts';
import { markedText } from './answers.ts';

test('the words at a place are marked, also behind characters of two code units', () => {
  expect(markedText('🙂 Acme, then Acme.', [{ position: 2, text: 'Acme' }])).toBe(
    '🙂 [[Acme]], then Acme.',
  );
});

test('the first word of a place is marked if the text differs there', () => {
  expect(markedText('See Ac\nme now', [{ position: 4, text: 'Ac me' }])).toBe('See [[Ac]]\nme now');
});

test('removing the marks from a marked text gives the original text', () => {
  const mark = fc.record({
    position: fc.nat(60),
    text: fc.string({ maxLength: 5, unit: 'grapheme' }),
  });
  fc.assert(
    fc.property(
      fc.string({ maxLength: 50, unit: codePoint }).filter((text) => !/[[\]]/.test(text)),
      fc.array(mark),
      (text, marks) => {
        expect(markedText(text, marks).replaceAll(/\[\[|\]\]/g, '')).toBe(text);
      },
    ),
  );
});
