import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { parseTime } from './time.ts';

const pieces = ['0', '5', '6', '9', ' ', '.', ':', '-', '+', 'e', '/', 'Nov', ''];
/** Times as servers write them, and text that almost is a time. */
const written = fc
  .tuple(
    fc.constantFrom(
      '20/Nov/2026:12:34:56 +0530',
      '5/Nov/2026:12:34:56 +05:30',
      '31/Dec/2026:23:59:60 +0000',
    ),
    fc.array(fc.tuple(fc.nat(26), fc.nat(2), fc.constantFrom(...pieces)), { maxLength: 2 }),
  )
  .map(([time, edits]) =>
    edits.reduce<string>(
      (text, [at, cut, piece]) => text.slice(0, at) + piece + text.slice(at + cut),
      time,
    ),
  );

test('the time read before does not change a time', () => {
  fc.assert(
    fc.property(written, written, (before, time) => {
      parseTime(before);
      const near = parseTime(time);
      parseTime('01/Jan/2000:00:00:00 +0000');
      expect(near).toBe(parseTime(time));
    }),
    { numRuns: cases(5000) },
  );
});

test('two times of one minute differ by their seconds', () => {
  parseTime('20/Nov/2026:12:34:56 +0530');
  expect(parseTime('20/Nov/2026:12:34:07 +0530')).toBe(Date.UTC(2026, 10, 20, 7, 4, 7));
  expect(parseTime('20/Nov/2026:12:34:60 +0530')).toBe(Date.UTC(2026, 10, 20, 7, 5, 0));
  expect(parseTime('20/Nov/2026:12:34:61 +0530')).toBeUndefined();
});
