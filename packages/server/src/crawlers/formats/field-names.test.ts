import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { read } from '../../../test/line-reading.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Caddy logs the names of a visitor's headers as keys. */
function lineOf(headerName: string): string {
  return `{"request":{"uri":"/","headers":{"${headerName}":["x"]}},"ts":1795178096}`;
}

test('long names of headers that visitors make up are not kept in memory', () => {
  const before = heapBytes();
  for (let index = 0; index < 1000; index++) read(lineOf(`${index}${'-x'.repeat(25_000)}`));
  expect(heapBytes() - before).toBeLessThan(20_000_000);
});

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
