import { expect, test } from 'vitest';
import { medianWait } from './median-wait.ts';

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each([
  [12, 60],
  [40, 60],
  [40, 30],
])(
  'of 100 draws of %i pages that are read within %i days, at least 95 intervals have the true median',
  (pages, days) => {
    const random = randomFrom(20261120);
    const median = Math.ceil(20 * Math.LN2);
    const draws = Array.from({ length: 100 }, () =>
      Array.from({ length: pages }, () => {
        const [lag, watched] = [Math.ceil(-20 * Math.log(1 - random())), random() * days];
        return { days: Math.min(lag, Math.floor(watched)), hasEnded: lag <= watched };
      }),
    );
    const covered = draws.filter((waits) => {
      const { low, high } = medianWait(waits);
      return (low ?? Infinity) <= median && median <= (high ?? Infinity);
    });
    expect(covered.length).toBeGreaterThanOrEqual(95);
  },
);

test('waits that go on make the median later than the ended ones alone', () => {
  const ended = Array.from({ length: 10 }, (_, day) => ({ days: day + 1, hasEnded: true }));
  expect(medianWait(ended)).toMatchObject({ median: 5 });
  const waiting = Array.from({ length: 6 }, () => ({ days: 20, hasEnded: false }));
  expect(medianWait([...ended, ...waiting])).toMatchObject({ median: 8 });
});

test('with fewer than ten waits, or if most go on, there is no median', () => {
  const none = { median: null, low: null, high: null };
  expect(medianWait(Array.from({ length: 9 }, () => ({ days: 1, hasEnded: true })))).toEqual(none);
  expect(medianWait(Array.from({ length: 30 }, () => ({ days: 9, hasEnded: false })))).toEqual(
    none,
  );
});
