import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findProxies } from './find-proxies.ts';
import { joinSamples, ranksMax, readSample, writeSample } from './line-sample.ts';
import type { SampledLine } from './line-sample.ts';

let ranks = 0;
const lines = (count: number, day: number, address: number, site = 0): SampledLine[] =>
  Array.from({ length: count }, () => ({ rank: ranks++, day, site, address, readDay: 0 }));

describe('the proxy', () => {
  test('is the address of more than half of at least twenty lines', () => {
    expect(findProxies(lines(19, 1, 7)).find(0, 1)).toBeUndefined();
    expect(findProxies(lines(20, 1, 7)).find(0, 1)).toBe(7);
    expect(findProxies([...lines(20, 1, 7), ...lines(20, 1, 8)]).find(0, 1)).toBeUndefined();
    expect(findProxies([...lines(21, 1, 7), ...lines(20, 1, 8)]).find(0, 1)).toBe(7);
  });

  test('is that of the days about the request, and of all days where those have too few lines', () => {
    const moved = findProxies([...lines(100, 1, 7), ...lines(60, 101, 8)]);
    expect([1, 4, 98, 101].map((day) => moved.find(0, day))).toEqual([7, 7, 8, 8]);
    expect(moved.find(0, 50)).toBe(7);
    expect(moved.find(1, 1)).toBeUndefined();
  });

  test('of another site is another', () => {
    const proxies = findProxies([...lines(30, 1, 7, 0), ...lines(90, 1, 8, 1)]);
    expect([proxies.find(0, 1), proxies.find(1, 1)]).toEqual([7, 8]);
    expect(proxies.has({ address: 8, site: 0, day: 1 })).toBe(false);
  });

  test('is no class of addresses when the lines have none', () => {
    expect(findProxies(lines(30, 1, -1)).classes.size).toBe(0);
  });

  test('differs from what it was for exactly the classes that were or are one', () => {
    const before = lines(30, 1, 7);
    const after = [...before, ...lines(90, 1, 8)];
    expect(findProxies(after).differences(findProxies(before))).toEqual(new Set([7, 8]));
    expect(findProxies(after).differences(findProxies(after))).toEqual(new Set());
  });

  test('is found among lines of a thousand days as well', () => {
    const spread = Array.from({ length: ranksMax }, (_, index) => lines(1, index * 50, 7)).flat();
    expect(findProxies(spread).find(0, 500)).toBe(7);
  });
});

test('a sample of parts is that of the whole, in any order and any number of times', () => {
  const anyLine = fc.record({
    rank: fc.nat(3000),
    day: fc.nat(3),
    site: fc.constant(0),
    address: fc.nat(2),
    readDay: fc.constant(0),
  });
  const anyLines = fc.array(anyLine, { maxLength: 2000, size: 'max' });
  fc.assert(
    fc.property(anyLines, anyLines, anyLines, (left, middle, right) => {
      const whole = joinSamples([], [...left, ...middle, ...right]);
      const parts = joinSamples(joinSamples(joinSamples([], right), middle), [...left, ...right]);
      expect(parts).toEqual(whole);
      expect(new Set(whole.map(({ rank }) => rank)).size).toBeLessThanOrEqual(ranksMax);
      expect(readSample(writeSample(whole))).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});
