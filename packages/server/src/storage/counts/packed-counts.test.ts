import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUnpacker, packCounts } from './packed-counts.ts';

const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 300 }), fc.maxSafeNat());
const prompt = fc.record({
  id: fc.uuid(),
  marks: fc.nat({ max: 31 }),
  runs: count,
  subjects: fc.array(fc.tuple(count, count, count, count, count, count), { maxLength: 4 }),
});

/** A row in the order of its columns. */
const row = fc.array(prompt, { maxLength: 5 }).map((prompts) => {
  const subjects = prompts.flatMap((one) => one.subjects);
  return {
    names: { subjects: ['s', 'ü'], prompts: prompts.map(({ id }) => id) },
    marks: prompts.map((one) => one.marks),
    runs: prompts.map(({ runs }) => runs),
    subjectCount: prompts.map((one) => one.subjects.length),
    subject: subjects.map(([subject]) => subject),
    cited: subjects.map(([, cited]) => cited),
    named: subjects.map(([, , named]) => named),
    linked: subjects.map(([, , , linked]) => linked),
    rankSum: subjects.map(([, , , , rankSum]) => rankSum),
    withBrand: subjects.map(([, , , , , withBrand]) => withBrand),
  };
});

test('counts of any size are unpacked as they were packed', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
      const unpack = createUnpacker();
      for (const one of rows) {
        const { names, ...columns } = unpack('chatgpt', packCounts(one));
        const plain = Object.entries(columns).map(([name, numbers]) => [name, Array.from(numbers)]);
        expect({ names, ...Object.fromEntries(plain) }).toEqual(one);
      }
    }),
  );
});

test('a row that is cut short is refused, and never counted in part', () => {
  const [one] = fc.sample(
    row.filter(({ runs }) => runs.length > 0),
    1,
  );
  if (one === undefined) throw new Error('There is no row');
  const bytes = packCounts(one);
  expect(() => createUnpacker()('chatgpt', bytes.subarray(0, -1))).toThrow(/damaged/);
});
