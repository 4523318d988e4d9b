import { expect, test } from 'vitest';
import { canonicalTag, hasRegion, languageOf } from './language-tag.ts';

test.each([
  ['EN-us', 'en-US', 'en', true],
  ['de', 'de', 'de', false],
  ['zh-hant-tw', 'zh-Hant-TW', 'zh-Hant', true],
  ['es-419', 'es-419', 'es', true],
  ['iw-IL', 'he-IL', 'he', true],
])('%s is %s, in the language %s', (text, tag, language, isRegional) => {
  expect(canonicalTag(text)).toBe(tag);
  // Call it twice, because the second result comes from the cache.
  expect(canonicalTag(text)).toBe(tag);
  expect(languageOf(tag)).toBe(language);
  expect(hasRegion(tag)).toBe(isRegional);
});

test.each(['', 'en_US', 'english', 'e', 'en-', 'en US', '12', 'x-private', 'null'])(
  '%j is no language',
  (text) => {
    expect(canonicalTag(text)).toBeUndefined();
  },
);
