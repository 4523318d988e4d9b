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

test('no type is named by a participle or a pronoun alone', () => {
  expect(vagueTypes(sourceFiles('{packages,bench,test,scripts}/**/*.ts'))).toEqual([]);
});

test.each([
  ['interface Judged {', ['a.ts: Judged']],
  ['type Own = string;', ['a.ts: Own']],
  ['export type Waiting<Key> = Key;', ['a.ts: Waiting']],
  ['export interface JudgedRow {}', []],
  ['type Setting = string; interface Feed {}', []],
])('a planted type name is judged: %s', (text, vague) => {
  expect(vagueTypes([{ path: 'a.ts', text }])).toEqual(vague);
});

/** Nouns that only look like participles, such as `Mapping`, are fine. */
function vagueTypes(files: readonly SourceFile[]): string[] {
  const vague =
    /^(?:export )?(?:type|interface|class) ((?!Feed\b)[A-Z][a-z]*ed|Waiting|Doing|Reading|Own|Due|Done|Shown|Chosen|Seen|Sent|Frozen|Written|Known|Given|Kept|Found|Around|Two|Those|Each|Other)\b/gm;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(vague)].map(([, name = '']) => `${path}: ${name}`),
  );
}

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
