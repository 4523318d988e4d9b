import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { cohensKappa } from './kappa.ts';

/** Pairs of labels from a table of counts. */
function pairsOf(table: ReadonlyArray<readonly number[]>): Array<[string, string]> {
  return table.flatMap((row, one) =>
    row.flatMap((count, other) =>
      Array.from({ length: count }, (): [string, string] => [`${one}`, `${other}`]),
    ),
  );
}

/** Kappa as a function of the table's parts alone. */
function kappaOf(parts: ReadonlyArray<readonly number[]>): number {
  const total = parts.flat().reduce((sum, part) => sum + part, 0);
  const at = (one: number, other: number) => (parts[one]?.[other] ?? 0) / total;
  const labels = parts.map((_, index) => index);
  const row = (one: number) => labels.reduce((sum, other) => sum + at(one, other), 0);
  const column = (other: number) => labels.reduce((sum, one) => sum + at(one, other), 0);
  const agreed = labels.reduce((sum, label) => sum + at(label, label), 0);
  const chance = labels.reduce((sum, label) => sum + row(label) * column(label), 0);
  return (agreed - chance) / (1 - chance);
}

/** Its standard error by the delta method, with derivatives that are taken numerically. */
function errorOf(table: ReadonlyArray<readonly number[]>): number {
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const parts = table.map((row) => row.map((count) => count / n));
  const step = 1e-6;
  const slopes = parts.flatMap((row, one) =>
    row.map((part, other) => {
      const moved = (by: number) =>
        kappaOf(
          parts.map((each, i) => each.map((p, j) => (i === one && j === other ? p + by : p))),
        );
      return { part, slope: (moved(step) - moved(-step)) / (2 * step) };
    }),
  );
  const mean = slopes.reduce((sum, { part, slope }) => sum + part * slope, 0);
  const square = slopes.reduce((sum, { part, slope }) => sum + part * slope ** 2, 0);
  return Math.sqrt(Math.max(0, square - mean ** 2) / n);
}

test('kappa and its standard error are those of a published table', () => {
  // Fleiss, Cohen and Everitt, 1969, table 1: 200 subjects.
  const table = [
    [106, 10, 4],
    [22, 28, 10],
    [2, 12, 6],
  ];
  const found = cohensKappa(pairsOf(table));
  expect(found?.kappa).toBeCloseTo(0.429, 3);
  expect((found?.error ?? 0) ** 2).toBeCloseTo(0.002885, 5);
  expect(found?.low).toBeCloseTo(0.429 - 1.96 * 0.0537, 3);
});

test('kappa and its standard error agree with derivatives taken numerically, for any table', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(counts, { minLength: 4, maxLength: 4 }), (table) => {
      const found = cohensKappa(pairsOf(table));
      if (found === undefined) return;
      expect(found.kappa).toBeCloseTo(kappaOf(table), 10);
      expect(found.error).toBeCloseTo(errorOf(table), 4);
      expect(found.low).toBeGreaterThanOrEqual(-1);
      expect(found.high).toBeLessThanOrEqual(1);
    }),
    { numRuns: cases(200) },
  );
});

test('there is no kappa without labels, or if all labels are the same', () => {
  expect(cohensKappa([])).toBeUndefined();
  expect(cohensKappa(pairsOf([[5]]))).toBeUndefined();
  expect(
    cohensKappa(
      pairsOf([
        [5, 0],
        [0, 5],
      ]),
    ),
  ).toMatchObject({ kappa: 1, error: 0, high: 1 });
});

test('complete agreement over few items is no proof of more: 10 of 10 give a kappa from 0.44 on', () => {
  const agreement = cohensKappa(
    pairsOf([
      [5, 0],
      [0, 5],
    ]),
  );
  expect(agreement).toMatchObject({ kappa: 1, high: 1 });
  // Wilson's lower end of 10 of 10 is 0.7225, and chance agrees in half.
  expect(agreement?.low).toBeCloseTo(0.4449, 3);
});
