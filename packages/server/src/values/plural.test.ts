import { expect, test } from 'vitest';
import { plural } from './plural.ts';

test('one thing is singular; none and several are plural', () => {
  expect(plural(1, 'row')).toBe('1 row');
  expect([0, 2].map((number) => plural(number, 'row'))).toEqual(['0 rows', '2 rows']);
  expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});
