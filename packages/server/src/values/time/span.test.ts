import { expect, test } from 'vitest';
import { parseSpan } from './span.ts';

test.each([
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['7d', 604_800_000],
  ['4w', 2_419_200_000],
  ['1y', 31_536_000_000],
  ['0d', 0],
])('the span %s is %i ms', (text, ms) => {
  expect(parseSpan(text)).toBe(ms);
});

test.each(['', 'd', '7', '7D', '7 d', '-7d', '1.5h', '7d12h', '1234567d', '7s', '７d', '7d\n'])(
  'the text %j is refused as a span',
  (text) => {
    expect(parseSpan(text)).toBeUndefined();
  },
);
