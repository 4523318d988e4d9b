import fc from 'fast-check';
import { expect, test } from 'vitest';
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
