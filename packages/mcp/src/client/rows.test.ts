import { expect, test } from 'vitest';
import { scores } from '@overheard/contract';
import { scoreRows } from '../../test/rows.ts';
import { readRows } from './rows.ts';

test('of a body of another shape no more is looked at than the first row that is none', () => {
  let looked = 0;
  const strange = {
    get date(): string {
      looked++;
      return '20.11.2026';
    },
  };
  const rows = [...scoreRows(1), ...Array.from({ length: 1000 }, () => strange)];
  expect(readRows(scores, { scores: rows })).toBeUndefined();
  expect(looked).toBe(1);
});

test.each([undefined, null, [], 'scores', {}, { scores: {} }, { scores: null }, { score: [] }])(
  '%j is no answer of this API',
  (body) => {
    expect(readRows(scores, body)).toBeUndefined();
  },
);
