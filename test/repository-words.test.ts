import { expect, test } from 'vitest';
import { repositoryFiles } from './source-files.ts';

/** Written in two halves, so that this file may hold them. */
const forbidden: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a path of one machine', /(?<![\w.~-])\/(?:root|work\/\w+|home\/\w+|Users\/\w+)\b/],
  [
    "a registry's address",
    new RegExp(String.raw`\b(registry\.(npmjs|yarnpkg)|npm\.pkg\.github)\.`),
  ],
  ['a note to do something later', new RegExp(String.raw`\b(TO${'DO'}|FIX${'ME'})\b`)],
];

const binary = /\.(gz|zst|br|png|ico|woff2?|db)$/;

test('no file names a machine, a registry or work that was put off', () => {
  const files = repositoryFiles().filter(({ path }) => !binary.test(path));
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(({ path, text }) => found(text).map((what) => `${path}: ${what}`))).toEqual(
    [],
  );
});

test.each([
  ['"folder": "/wo' + 'rk/main"', ['a path of one machine']],
  ['see /ho' + 'me/somebody/notes', ['a path of one machine']],
  ['"resolved": "https://registry.npm' + 'js.org/a"', ["a registry's address"]],
  ['// TO' + 'DO: later', ['a note to do something later']],
  ['GET /works, a/root of it, https://example.com/home/', []],
])('a planted line is judged: %s', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

function found(text: string): string[] {
  return forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}
