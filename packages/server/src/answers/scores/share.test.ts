import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundRatio, shareOfVoice, wilsonInterval } from './share.ts';

test('a ratio is rounded half up to 4 decimals, 0 of 0 is 0', () => {
  expect(roundRatio(1, 3)).toBe(0.3333);
  expect(roundRatio(2, 3)).toBe(0.6667);
  // 0.00005 exactly: floating point would say 0.
  expect(roundRatio(1, 20_000)).toBe(0.0001);
  expect(roundRatio(0, 0)).toBe(0);
});

test('share of voice lies from 0 to 1, and is 1 or 0 without competitors', () => {
  const count = fc.nat({ max: 1_000_000 });
  fc.assert(
    fc.property(count, count, (brand, competitors) => {
      const sov = shareOfVoice({ brand, competitors });
      expect(sov).toBeGreaterThanOrEqual(0);
      expect(sov).toBeLessThanOrEqual(1);
      expect(String(sov)).toMatch(/^\d(\.\d{1,4})?$|^1e-4$/);
      expect(shareOfVoice({ brand, competitors: 0 })).toBe(brand === 0 ? 0 : 1);
    }),
  );
});

test("the interval is Wilson's: known values", () => {
  // Newcombe 1998, table I, method 3 (doi.org/10.1002/(SICI)1097-0258(19980430)17:8).
  expect(wilsonInterval(81, 263)).toEqual({ low: 0.2553, high: 0.3662 });
  expect(wilsonInterval(15, 148)).toEqual({ low: 0.0624, high: 0.1605 });
  expect(wilsonInterval(0, 20)).toEqual({ low: 0, high: 0.1611 });
  expect(wilsonInterval(1, 29)).toEqual({ low: 0.0061, high: 0.1718 });
  expect(wilsonInterval(0, 0)).toBeUndefined();
});

test('the interval holds the rate, and narrows with more runs', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (runs, share) => {
        const part = Math.round(runs * share);
        const one = wilsonInterval(part, runs) ?? { low: 2, high: -1 };
        const ten = wilsonInterval(10 * part, 10 * runs) ?? { low: 2, high: -1 };
        expect(one.low).toBeLessThanOrEqual(part / runs + 1e-4);
        expect(one.high).toBeGreaterThanOrEqual(part / runs - 1e-4);
        expect(ten.high - ten.low).toBeLessThan(one.high - one.low);
      },
    ),
  );
});
