import { expect, test } from 'vitest';
import { terminalHint } from './options.ts';

test('a person at a terminal is told what it waits for, a host nothing', () => {
  expect(terminalHint({ isTTY: true })).toMatch(/^overheard-mcp waits [^]*--check[^]*\.\n$/);
  expect(terminalHint({ isTTY: false })).toBe('');
  expect(terminalHint({})).toBe('');
});
