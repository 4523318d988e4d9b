import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const names = ['status', 'prompt_id', 'since', 'limit'];

test.each([
  ['stauts', 'status'],
  ['Status', 'status'],
  ['promptid', 'prompt_id'],
  ['prompt-id', 'prompt_id'],
  ['limits', 'limit'],
])('a misspelt %s is understood as %s', (name, meant) => {
  expect(nearest(name, names)).toBe(meant);
});

test.each(['', 'bogus', '__proto__', 'x'.repeat(10_000)])(
  'a name that is near to none gets no suggestion (%#)',
  (name) => {
    expect(nearest(name, names)).toBeUndefined();
  },
);
