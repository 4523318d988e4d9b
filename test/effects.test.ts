import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { withoutComments } from './source-imports.ts';

test('no file of the server asks for the current date, because the clock is an argument', () => {
  const server = sourceFiles('packages/server/src/**/*.ts');
  expect(server.length).toBeGreaterThan(500);
  const files = server.filter(({ path }) => !path.includes('/web/browser/'));
  expect(files.filter(asksForDate).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['const now = new Date();', true],
  ['const now = new Date;', true],
  ['const now = Date();', true],
  ['const now = new Date( );', true],
  ['const schema = z.date();', false],
  ['const then = new Date(clock());', false],
  ['const date: Date = read(); // not new Date()', false],
])('a planted question for the date is judged: %s', (text, isCaught) => {
  expect(asksForDate({ path: 'a.ts', text })).toBe(isCaught);
});

function asksForDate({ text }: SourceFile): boolean {
  return /\bnew Date(?:\(\s*\)|(?!\w|\())|\bDate\(\)/.test(withoutComments(text));
}
