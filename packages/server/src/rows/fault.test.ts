import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Faults } from './fault.ts';

test('faults of the first lines are shown in order, whatever the order in which they are found', () => {
  const lines = Array.from({ length: 30 }, (_, index) => index + 1);
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: 30 }), (found) => {
      const faults = new Faults();
      for (const line of found) faults.add({ line, expected: 'an object' });
      const shown = lines.slice(0, 20).map((line) => ({ line, expected: 'an object' }));
      expect(refusalOf(faults)).toMatchObject({ facts: { faults: shown, hidden: 10 } });
    }),
  );
});

test('faults of one line stay in the order in which they are found', () => {
  const faults = new Faults();
  for (const field of ['b', 'a', 'c']) faults.add({ line: 1, field, expected: 'text' });
  const shown = [{ field: 'b' }, { field: 'a' }, { field: 'c' }];
  expect(refusalOf(faults)).toMatchObject({ facts: { file: 'rows', faults: shown, hidden: 0 } });
});

function refusalOf(faults: Faults): unknown {
  try {
    faults.refuse('rows');
  } catch (error) {
    return error;
  }
  return undefined;
}
