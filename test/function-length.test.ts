import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const linesMax = 50;

/** A table of statements, which a released migration may not change any more. */
const exempt = /^packages\/server\/src\/storage\/migrations\//;

test(`no function has more than ${linesMax} lines besides the functions in it`, () => {
  const files = sourceFiles('{packages/*/src,bench,scripts,test}/**/*.ts');
  expect(files.length).toBeGreaterThan(200);
  expect(longFunctions(files.filter(({ path }) => !exempt.test(path)))).toEqual([]);
});

const lines = (count: number) => Array.from({ length: count }, () => '    step();');

test.each([
  ['long', ['function long() {', ...lines(49), '}'], ['a.ts: long has 51 lines']],
  ['short', ['function short() {', ...lines(48), '}'], []],
  [
    'a factory of short functions',
    [
      'export function create() {',
      ...lines(20),
      '  async function first() {',
      ...lines(20),
      '  }',
      '  function* second() {',
      ...lines(20),
      '  }',
      '}',
    ],
    [],
  ],
  [
    'a function in a factory',
    ['function create() {', '  function inner() {', ...lines(49), '  }', '}'],
    ['a.ts: inner has 51 lines'],
  ],
])('planted functions are counted: %s', (_, text, long) => {
  expect(longFunctions([{ path: 'a.ts', text: text.join('\n') }])).toEqual(long);
});

/** The formatter puts the end of a function under its beginning. */
function longFunctions(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const open: Array<{ name: string; indent: string; count: number }> = [];
    const long: string[] = [];
    for (const line of text.split('\n')) {
      const begun = /^(?<indent> *)(?:export )?(?:async )?function\*? ?(?<name>\w+)/.exec(line);
      if (begun !== null) {
        const { indent = '', name = '' } = begun.groups ?? {};
        open.push({ name, indent, count: 0 });
      }
      const current = open.at(-1);
      if (current === undefined) continue;
      if (line.trim() !== '') current.count += 1;
      if (!line.startsWith(`${current.indent}}`) || line.endsWith('{')) continue;
      open.pop();
      if (current.count > linesMax)
        long.push(`${path}: ${current.name} has ${current.count} lines`);
    }
    return long;
  });
}
