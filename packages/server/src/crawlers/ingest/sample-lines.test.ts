import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinSamples } from '../hits/line-sample.ts';
import type { SampledLine } from '../hits/line-sample.ts';
import { writtenLine } from '../written-line.ts';
import { createLineSampler } from './sample-lines.ts';

test('the rank of a line hangs on the line alone, not on where it stands', () => {
  const { rankOf } = createLineSampler(7);
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 200 }), fc.string(), (before, line, after) => {
      const [start, end] = [before.length, before.length + line.length];
      const inText = { ...writtenLine(before + line + after), start, end };
      expect(rankOf(inText)).toBe(rankOf(writtenLine(line)));
    }),
  );
});

test('what is held of a log is little, however often a line comes again, and gives its sample', () => {
  for (const distinct of [1, 50, 1500, 30_000]) {
    const sampler = createLineSampler(7);
    const lines = Array.from({ length: 60_000 }, (_, index) => lineOf(index % distinct, index));
    for (const line of lines) sampler.take(line);
    const held = sampler.drain();
    expect(held.length).toBeLessThan(10_000);
    expect(joinSamples([], held)).toEqual(joinSamples([], lines));
  }
});

/** A line with a rank that hangs on its text, as one of several readings of it. */
function lineOf(text: number, reading: number): SampledLine {
  const rank = Math.imul(text, 0x9e3779b1) >>> 0;
  return { rank, day: 20_000, site: 1, address: reading % 7, readDay: 20_000 };
}
