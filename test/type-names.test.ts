import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

test('no exported type name exists twice', () => {
  expect(repeatedTypes(sourceFiles('packages/*/src/**/*.ts'))).toEqual([]);
});

test('a type name that two files export is noticed', () => {
  const files = ['a.ts', 'b.ts'].map((path) => ({ path, text: 'export interface Planted {}' }));
  expect(repeatedTypes(files)).toEqual(['Planted: a.ts, b.ts']);
});

function repeatedTypes(files: readonly SourceFile[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class) (\w+)/gm)) {
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
  }
  return [...paths]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.join(', ')}`);
}
