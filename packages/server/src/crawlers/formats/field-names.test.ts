import { expect, test, vi } from 'vitest';
import { read } from '../../../test/logs/line-reading.ts';

/** Caddy logs the names of a visitor's headers as keys. */
function lineOf(headerName: string): string {
  return `{"request":{"uri":"/","headers":{"${headerName}":["x"]}},"ts":1795178096}`;
}

test('long names of headers that visitors make up are not kept in memory', () => {
  const remember = vi.spyOn(Map.prototype, 'set');
  read(lineOf('x-made-up'));
  read(lineOf(`x${'-x'.repeat(25_000)}`));
  const names = remember.mock.calls.map(([name]) => String(name));
  remember.mockRestore();
  expect(names.some((name) => name.includes('x-made-up'))).toBe(true);
  expect(names.filter((name) => name.includes('-x-x-x'))).toEqual([]);
});
