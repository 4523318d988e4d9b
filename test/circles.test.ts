import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf } from './source-imports.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const files = sourceFiles('packages/*/src/**/*.ts');

test('no files import each other in a circle, not even types', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(circle(importGraph(files))).toEqual([]);
});

test('the folders and files of a folder do not import each other in a circle, on any level', () => {
  expect(circularFolders(files)).toEqual([]);
});

test('a planted circle of types between files is noticed', () => {
  const planted = [
    { path: 'src/a/one.ts', text: "import type { Two } from '../b/two.ts';" },
    { path: 'src/b/two.ts', text: "import type { One } from '../a/one.ts';" },
    { path: 'src/c/user.ts', text: "import { a } from '../a/one.ts';" },
  ];
  expect(circle(importGraph(planted))).toEqual(['src/a/one.ts', 'src/b/two.ts']);
});

test('a planted circle between folders is noticed, even if no files form one', () => {
  const planted = [
    { path: 'src/x/a/one.ts', text: "import { two } from '../b/two.ts';" },
    { path: 'src/x/b/two.ts', text: '' },
    { path: 'src/x/b/three.ts', text: "import { four } from '../a/four.ts';" },
    { path: 'src/x/a/four.ts', text: '' },
  ];
  expect(circle(importGraph(planted))).toEqual([]);
  expect(circularFolders(planted)).toEqual(['src/x: a, b']);
});

function importGraph(sources: readonly SourceFile[]): Graph {
  return new Map(
    sources.map(({ path, text }) => [
      path,
      new Set(
        importsOf(text)
          .filter((name) => name.startsWith('.'))
          .map((name) => posix.join(posix.dirname(path), name)),
      ),
    ]),
  );
}

/** Of each folder with a circle, its entries that form it. */
function circularFolders(sources: readonly SourceFile[]): string[] {
  const graph = importGraph(sources);
  const folders = new Set(sources.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].flatMap((folder) => {
    const names = circle(entryGraph(folder, graph));
    return names.length === 0 ? [] : [`${folder}: ${names.join(', ')}`];
  });
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts
    .slice(parts.indexOf('src') + 1)
    .map((_, index) => parts.slice(0, parts.indexOf('src') + 1 + index).join('/'));
}

/** Which entry of a folder imports which other one. */
function entryGraph(folder: string, graph: Graph): Graph {
  const entries = new Map<string, Set<string>>();
  for (const [path, imports] of graph) {
    const from = entryOf(folder, path);
    if (from === undefined) continue;
    const targets = [...imports].flatMap((target) => entryOf(folder, target) ?? []);
    const known = entries.get(from) ?? new Set();
    entries.set(from, known.union(new Set(targets.filter((target) => target !== from))));
  }
  return entries;
}

function entryOf(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}

/** The nodes that are left when every node that imports none of the rest is taken away, and vice versa. */
function circle(graph: Graph): string[] {
  const left = new Map([...graph].map(([name, imports]) => [name, new Set(imports)]));
  for (;;) {
    const imported = new Set([...left.values()].flatMap((imports) => [...imports]));
    const free = [...left].filter(
      ([name, imports]) => !imported.has(name) || ![...imports].some((other) => left.has(other)),
    );
    if (free.length === 0) return [...left.keys()].toSorted();
    for (const [name] of free) left.delete(name);
  }
}
