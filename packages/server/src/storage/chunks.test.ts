import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pad, inChunks } from './chunks.ts';

const rows = fc.array(fc.integer(), { maxLength: 3000 });

test('chunks have all rows in their order, each once, and none is too large', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 1000 }), (all, sizeMax) => {
      const pieces = [...inChunks(all, sizeMax)];
      expect(pieces.flat()).toEqual(all);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(sizeMax);
    }),
  );
});

test('a list that is filled up has the same values, and no others', () => {
  fc.assert(
    fc.property(rows, (values) => {
      const filled = pad(values);
      expect(filled.slice(0, values.length)).toEqual(values);
      expect(new Set(filled)).toEqual(new Set(values));
    }),
  );
});

test('however many rows there are, their statements have few sizes', () => {
  const counts = Array.from({ length: 1000 }, (_, index) => index + 1);
  const lists = counts.map((count) => Array.from({ length: count }, () => 1));
  const pieces = lists.flatMap((list) => [...inChunks(list, 200)].map(({ length }) => length));
  expect([...new Set(pieces)].toSorted((left, right) => left - right)).toEqual([
    1, 2, 4, 8, 16, 32, 64, 128, 200,
  ]);
  expect(new Set(lists.map((list) => pad(list).length)).size).toBe(11);
});
