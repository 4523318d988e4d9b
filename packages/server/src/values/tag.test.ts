import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTag, tagOf } from './tag.ts';

test('a tag is stored in NFC, trimmed and with single spaces', () => {
  expect(parseTag('  Cafe\u0301   bars ')).toBe('Café bars');
});

test.each(['', '  ', 'a,b', 'a\nb', 'a\u0000b', '\uD800', 'x'.repeat(61), '\u200B', '\u0301'])(
  'text that cannot be a tag is refused: %j',
  (text) => {
    expect(parseTag(text)).toBeUndefined();
  },
);

test.each(['نرم\u200Cافزار', '👩\u200D💻', 'क\u094D\u200Dष', 'C++', '?', '3'])(
  'a tag may be in any script: %j',
  (text) => {
    expect(parseTag(text)).toBe(text);
  },
);

test('any text with a word makes a tag, however long', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.constantFrom('', ' 2'),
      (text, ending) => {
        const tag = tagOf(`a${text}`, ending);
        expect(parseTag(tag)).toBe(tag);
      },
    ),
  );
});

test('the stored form of a tag stays the same when it is parsed again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 70 }), (text) => {
      const tag = parseTag(text);
      expect(tag === undefined ? tag : parseTag(tag)).toBe(tag);
    }),
  );
});
