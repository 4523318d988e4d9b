import { expect, test } from 'vitest';
import { terminalHint } from './options.ts';

test('a person at a terminal reads what the program waits for, and a host reads nothing', () => {
  expect(terminalHint({ isTTY: true })).toMatch(/^overheard-mcp waits [^]*--check[^]*\.\n$/);
  expect(terminalHint({ isTTY: false })).toBe('');
  expect(terminalHint({})).toBe('');
});
