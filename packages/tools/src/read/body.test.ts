import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scores } from '@overheard/contract';
import { cases } from '../../../../test/cases.ts';
import { readBodySlices } from './body.ts';
import { scoreRows } from '../../../mcp/test/rows.ts';
import { failureText, Failure } from '../failure.ts';

const address = 'http://127.0.0.1:8484';

/** A body that never ends, and a count of the bytes that were read from it. */
function endless() {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  const asked = { megabytes: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      asked.megabytes++;
      controller.enqueue(megabyte);
    },
    cancel() {
      asked.isCancelled = true;
    },
  });
  return { asked, response: new Response(body) };
}

async function readAll(response: Response): Promise<unknown[]> {
  const slices: unknown[] = [];
  for await (const slice of readBodySlices(response.body, scores, address)) slices.push(slice);
  return slices;
}

/** A body that arrives in parts of some bytes. */
function inParts(text: string, partBytes: number): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, (at += partBytes)));
      },
    }),
  );
}

const schema = z.object({ scores: z.array(z.unknown()) });
const texts = ['},{"date":', '"},{"date":"', '[{"date":1},{"date":2}]', '\\', 'é😀', ']}'];
const row = fc.record({
  date: fc.constantFrom(...texts),
  list: fc.constantFrom([], [{ date: 1 }, { date: 2 }]),
});

test('the slices of a body together have the rows that were sent, whatever is in them and however they arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1000, max: 300_000 }),
      fc.constantFrom('', '  '),
      fc.boolean(),
      async (few, partBytes, indent, isLast) => {
        const rows = Array.from({ length: 10_000 }, (_, index) => few[index % few.length]);
        const other = { other: [{ date: 1 }, { date: 2 }] };
        const body = isLast ? { ...other, scores: rows } : { scores: rows, ...other };
        const slices = await readAll(inParts(JSON.stringify(body, null, indent), partBytes));
        expect(slices.flatMap((slice) => schema.parse(slice).scores)).toEqual(rows);
      },
    ),
    { numRuns: cases(15) },
  );
});

test('a body near the limit comes in many slices, and other work goes on between them', async () => {
  const text = JSON.stringify({ scores: scoreRows(22_000) });
  expect(text.length).toBeGreaterThan(3_000_000);
  let turns = 0;
  let isReading = true;
  const count = (): void => {
    turns++;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const slices = await readAll(inParts(text, 65_536));
  isReading = false;
  expect(slices.length).toBeGreaterThan(20);
  expect(turns).toBeGreaterThan(20);
});

test('a body that is cut off after whole rows is not JSON', async () => {
  const text = JSON.stringify({ scores: scoreRows(5000) });
  const failure: unknown = await readAll(inParts(text.slice(0, -2), 65_536)).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'not_json' });
});

test('a body that is larger than anything that we can use is not read to its end', async () => {
  const { asked, response } = endless();
  const failure: unknown = await readAll(response).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failureText(failure instanceof Failure ? failure : new Failure('unexpected'))).toMatch(
    /too large[^]*more than 6 MB/,
  );
  expect(asked).toMatchObject({ isCancelled: true });
  expect(asked.megabytes).toBeLessThan(10);
});
