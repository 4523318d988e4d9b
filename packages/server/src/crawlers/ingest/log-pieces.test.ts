import fc from 'fast-check';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { expectSum, line, lines, makePlace } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { ingestFiles } from './ingest.ts';
import { headBytes, refuseUnreadable } from './refuse-unreadable.ts';

eachStore('a log in pieces', (open) => {
  const anyLog = fc.record({
    // A proxy is looked for in twenty lines and more.
    count: fc.integer({ min: 1, max: 90 }),
    addresses: fc.integer({ min: 1, max: 5 }),
    seed: fc.nat(1000),
    cuts: fc.array(fc.nat(10_000), { maxLength: 6 }),
    order: fc.array(fc.nat(20), { maxLength: 6 }),
  });

  test(
    'pieces of a log in any order, any number of times, give the hits of the whole log',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      await fc.assert(
        fc.asyncProperty(anyLog, async ({ count, seed, addresses, cuts, order }) => {
          const all = lines(count, seed, addresses).split(/(?<=\n)/);
          const pieces = piecesOf(all, cuts);
          const parts = await makePlace({ store });
          const places = [
            ...order.map((place) => place % pieces.length),
            ...pieces.keys(),
          ].toSorted((left, right) => ((left * 7 + seed) % 5) - ((right * 7 + seed) % 5));
          for (const [index, place] of places.entries()) {
            expectSum(await parts.ingest(await parts.write(`${index}.log`, pieces[place] ?? '')));
          }
          const whole = await makePlace({ store });
          await whole.ingest(await whole.write('whole.log', all.join('')));
          expect(await parts.verdicts()).toEqual(await whole.verdicts());
        }),
        { numRuns: cases(12) },
      );
    },
  );

  test(
    'a log of arbitrary bytes is read or refused whole, and each line is counted under exactly one outcome',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const place = await makePlace({ store });
      const rows = fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 80 }),
          fc.nat(5).map((index) => Buffer.from(line('45.9.148.3', index, 'GPTBot'))),
        ),
        { maxLength: 12 },
      );
      let index = 0;
      await fc.assert(
        fc.asyncProperty(rows, async (bytes) => {
          const log = Buffer.concat(bytes);
          const path = await place.write(`${index++}.log`, log);
          const { summary, failed } = await ingestFiles([path], await place.prepare({}), {
            stdin: Readable.from([]),
          });
          const faults = isOtherForm(log) ? [{ why: { code: 'log_unreadable' } }] : [];
          expect(failed).toMatchObject(faults);
          expectSum(summary);
        }),
        // The mark of UTF-16; an example counts as a run.
        { numRuns: cases(30) + 1, examples: [[[Uint8Array.of(0xff, 0xfe)]]] },
      );
    },
  );
});

/** Whether the first bytes say that a file is not lines of UTF-8. */
function isOtherForm(log: Buffer): boolean {
  try {
    refuseUnreadable(log.subarray(0, headBytes));
    return false;
  } catch {
    return true;
  }
}

function piecesOf(all: readonly string[], cuts: readonly number[]): readonly string[] {
  const ends = [...cuts.map((place) => place % all.length), all.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => all.slice(ends[index - 1] ?? 0, end).join(''));
}
