import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundRatio, shareOfVoice } from './share-of-voice.ts';

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
