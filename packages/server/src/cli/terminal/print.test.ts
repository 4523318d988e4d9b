import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { printTable } from './print.ts';

test('a table may be as long as what there is to show', async () => {
  const stdout = new PassThrough({ highWaterMark: 2 ** 28 });
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index), 'x']);
  const io = {
    stdin: stdout,
    stdout,
    stderr: stdout,
    isTerminal: false,
    asTyped: (words: string) => words,
    clock: () => 0,
  };
  const { signal } = new AbortController();
  printTable({ ...io, signal }, { headings: ['NUMBER', 'X'], rows, none: 'Nothing.' });
  stdout.end();
  const lines = (await text(stdout)).split('\n');
  expect(lines).toHaveLength(rows.length + 2);
  expect(lines.at(-2)).toBe('199999  x');
});
