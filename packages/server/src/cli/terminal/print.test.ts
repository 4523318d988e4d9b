import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Io } from './io.ts';
import { printTable } from './print.ts';

function io(stdout: PassThrough): Io {
  const { signal } = new AbortController();
  const asTyped = (words: string): string => words;
  return {
    stdin: stdout,
    stdout,
    stderr: stdout,
    isTerminal: false,
    asTyped,
    clock: () => 0,
    fetch: globalThis.fetch,
    signal,
  };
}

test('a table on a terminal breaks cells at blanks, and never loses or splits a word', async () => {
  const words = fc.array(fc.stringMatching(/^[a-zé東]{1,6}$/), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(words, words), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 30, max: 90 }),
      async (cells, columns) => {
        const stdout = new PassThrough({ highWaterMark: 2 ** 20 });
        const rows = cells.map((row) => row.map((cell) => cell.join(' ')));
        printTable({ ...io(stdout), columns }, { headings: ['A', 'B'], rows, none: '' });
        stdout.end();
        const printed = await text(stdout);
        expect(printed.split(/\s+/).filter(Boolean).toSorted()).toEqual(
          ['A', 'B', ...cells.flat(2)].toSorted(),
        );
        for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
