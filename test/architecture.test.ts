import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forEverybody, importTable, innerTables, packageTable } from './import-table.ts';
import { repository, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf, withoutComments } from './source-imports.ts';

const serverRoot = 'packages/server/src/';
const server = sourceFiles(`${serverRoot}**/*.ts`);
const packages = sourceFiles('packages/*/{src,bin}/**/*.{ts,js}');

describe('parts of the server', () => {
  test('all parts of the server are in the table, and import only what it allows', () => {
    expect(server.length).toBeGreaterThan(20);
    expect(server.flatMap(partViolations)).toEqual([]);
  });

  test.each([
    ['api/x.ts', "import { a } from '../answers/a.ts';", 'api may not import answers'],
    ['api/x.ts', "import type { A } from '../crawlers/a.ts';", 'api may not import crawlers'],
    [
      'answers/a/x.ts',
      "export { b } from '../../crawlers/b.ts';",
      'answers may not import crawlers',
    ],
    ['storage/x.ts', "const a = await import('../api/a.ts');", 'storage may not import api'],
    ['rows/x.ts', "import {\n  a,\n  b,\n} from '../storage/a.ts';", 'rows may not import storage'],
    ['problems.ts', "import '../src/config.ts';", 'problems may not import config'],
    ['problems.ts', "import { version } from './version.ts';", 'problems may not import version'],
    ['refusals/x.ts', "import { a } from '../rows/a.ts';", 'refusals may not import rows'],
    ['api/x.ts', "import { a } from '../refusals.ts';", 'api may not import refusals'],
    ['collect/x.ts', "import { a } from '../crawlers/a.ts';", 'collect may not import crawlers'],
    ['values/x.ts', "import { a } from '../rows/a.ts';", 'values may not import rows'],
    ['config.ts', "import { a } from './values/a.ts';", 'config may not import values'],
    ['access/x.ts', "type A = import('../config.ts').A;", 'access may not import config'],
    ['helpers/x.ts', '', 'helpers is not in the table'],
    ['api/x.ts', 'await import(name);', 'imports a module whose name is computed'],
  ])('a planted violation is caught: %s: %s', (path, text, violation) => {
    const planted = { path: serverRoot + path, text };
    expect(partViolations(planted)).toEqual([`${planted.path}: ${violation}`]);
  });

  test.each([
    ['api/x.ts', "// import { a } from '../answers/a.ts';\nimport { b } from './b.ts';"],
    ['api/x.ts', "/*\nimport { a } from '../answers/a.ts';\n*/"],
    ['rows/x.ts', "import { plural } from '../values/plural.ts';"],
    ['api/x.ts', "import { version } from '../version.ts';\nimport { sql } from 'kysely';"],
    ['api/x.ts', "const url = 'http://localhost'; // await import('../answers/a.ts')"],
  ])('an allowed import is not reported: %s: %s', (path, text) => {
    expect(partViolations({ path: serverRoot + path, text })).toEqual([]);
  });

  test('each part of the server, and nothing else, is described in docs/architecture.md', () => {
    const page = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
    const described = [...page.matchAll(/^\| `(?<part>\w+)` +\|/gm)];
    const parts = described.map(({ groups }) => groups?.['part'] ?? '');
    expect(parts.toSorted()).toEqual(Object.keys(importTable).toSorted());
    const present = new Set(server.map(({ path }) => partOf(path)));
    expect(parts.filter((part) => !present.has(part))).toEqual([]);
  });

  test('parts of the server depend on each other in one direction', () => {
    const placed = new Set<string>();
    const parts = new Map(Object.entries(importTable));
    while (parts.size > 0) {
      const next = [...parts].find(([, imports]) => imports.every((part) => placed.has(part)));
      expect(next, `a cycle among ${[...parts.keys()].join(', ')}`).toBeDefined();
      const name = next?.[0] ?? '';
      placed.add(name);
      parts.delete(name);
    }
  });
});

describe.each(Object.keys(innerTables))('inside of %s', (root) => {
  test('each folder imports only what its table allows', () => {
    const files = packages.filter(({ path }) => path.startsWith(`${root}/`));
    expect(files.length).toBeGreaterThan(5);
    expect(files.flatMap((file) => innerViolations(file, root))).toEqual([]);
  });

  test('each folder imports only folders above it in the table, so that there is no circle', () => {
    const above = new Set<string>();
    for (const [part, imports] of innerTables[root] ?? []) {
      expect(words(imports).filter((name) => !above.has(name))).toEqual([]);
      above.add(part);
    }
  });
});

test.each([
  [
    'packages/tools/src/tools/x.ts',
    "import { a } from '../call/a.ts';",
    'tools may not import call',
  ],
  ['packages/mcp/src/x.ts', '', 'x is not in the table'],
  [
    'packages/server/src/crawlers/robots/x.ts',
    "import { a } from '../hits/a.ts';",
    'robots may not import hits',
  ],
  [
    'packages/server/src/storage/write.ts',
    "import { a } from './postgres/statistics.ts';",
    'write may not import postgres',
  ],
  [
    'packages/server/src/storage/sqlite/x.ts',
    "import { a } from '../postgres/pool.ts';",
    'sqlite may not import postgres',
  ],
  [
    'packages/server/src/answers/stored-detections.ts',
    "import { a } from './import/insert-runs.ts';",
    'stored-detections may not import import',
  ],
  [
    'packages/server/src/cli/words/x.ts',
    "import { a } from '../commands/a.ts';",
    'words may not import commands',
  ],
])('a planted violation inside of a part is caught: %s: %s', (path, text, violation) => {
  const root = Object.keys(innerTables).find((each) => path.startsWith(`${each}/`)) ?? '';
  expect(innerViolations({ path, text }, root)).toEqual([`${path}: ${violation}`]);
});

describe('packages', () => {
  test('packages import of each other only what the table allows', () => {
    expect(packages.flatMap(packageViolations)).toEqual([]);
  });

  test.each([
    ['packages/mcp/src/x.ts', "import { a } from 'overheard';", 'overheard'],
    [
      'packages/contract/src/x.ts',
      "import { a } from '../../server/src/a.ts';",
      '../../server/src/a.ts',
    ],
    ['packages/contract/src/x.ts', "import { readFileSync } from 'node:fs';", 'node:fs'],
    ['packages/contract/src/x.ts', "import fs from 'fs';", 'fs'],
  ])('a planted violation is caught: %s: %s', (path, text, name) => {
    expect(packageViolations({ path, text })).toEqual([`${path}: imports ${name}`]);
  });
});

describe('databases', () => {
  test('only storage knows which database it uses', () => {
    expect(server.filter(knowsDatabase).map(({ path }) => path)).toEqual([]);
  });

  test.each([
    "import { DatabaseSync } from 'node:sqlite';",
    "import type { Pool } from 'pg';",
    "import { native } from 'pg/lib/index.js';",
    "const { Client } = await import('pg');",
    "import { mapSqliteFailure } from '../storage/sqlite/failures.ts';",
    "import { openPool } from '../storage/postgres/pool.ts';",
  ])('a planted violation is caught: %s', (text) => {
    expect(knowsDatabase({ path: `${serverRoot}transfer/x.ts`, text })).toBe(true);
    expect(knowsDatabase({ path: `${serverRoot}storage/x.ts`, text })).toBe(false);
  });

  test.each(["import { sql } from 'kysely';", "import { openStore } from '../storage/open.ts';"])(
    'an import that knows no database passes: %s',
    (text) => {
      expect(knowsDatabase({ path: `${serverRoot}transfer/x.ts`, text })).toBe(false);
    },
  );
});

describe('effects', () => {
  test('the environment is read in config.ts alone, if anywhere', () => {
    const readers = packages.filter(readsEnvironment).map(({ path }) => path);
    expect(readers.filter((path) => !path.endsWith('/src/config.ts'))).toEqual([]);
  });

  test.each(['process.env.A', "process['env']", "import { env } from 'node:process';"])(
    'a planted import is caught: %s',
    (text) => {
      expect(readsEnvironment({ path: '', text })).toBe(true);
    },
  );
});

function partViolations({ path, text }: SourceFile): string[] {
  const part = partOf(path);
  const allowed = importTable[part];
  if (allowed === undefined) return [`${path}: ${part} is not in the table`];
  const own = importsOf(text).filter((name) => name.startsWith('.') && name.endsWith('.ts'));
  const imported = own.map((name) => partOf(posix.join(posix.dirname(path), name)));
  const isAllowed = (other: string) =>
    other === part ||
    allowed.includes(other) ||
    (isForEverybody(other) && !forEverybody[other].some((name) => name === part));
  return [
    ...imported
      .filter((other) => !isAllowed(other))
      .map((other) => `${part} may not import ${other}`),
    ...(/\bimport\s*\(\s*[^'"`\s]/.test(withoutComments(text))
      ? ['imports a module whose name is computed']
      : []),
  ].map((violation) => `${path}: ${violation}`);
}

function innerViolations({ path, text }: SourceFile, root: string): string[] {
  const table = new Map(innerTables[root]);
  const part = innerPartOf(path, root);
  const allowed = table.get(part);
  if (allowed === undefined) return [`${path}: ${part} is not in the table`];
  return importsOf(text)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((target) => target.startsWith(`${root}/`))
    .map((target) => innerPartOf(target, root))
    .filter((other) => other !== part && !words(allowed).includes(other))
    .map((other) => `${path}: ${part} may not import ${other}`);
}

/** The folder below `root`, or the file in it without its ending. */
function innerPartOf(path: string, root: string): string {
  const [first = ''] = path.slice(root.length + 1).split('/');
  return first.replace(/\.ts$/, '');
}

function words(list: string): string[] {
  return list.split(' ').filter((word) => word !== '');
}

function isForEverybody(part: string): part is keyof typeof forEverybody {
  return Object.hasOwn(forEverybody, part);
}

/** The folder below `src`, or the file at its root without its ending. */
function partOf(path: string): string {
  const [first = ''] = path.slice(serverRoot.length).split('/');
  return first.replace(/\.ts$/, '');
}

/** Beside storage, only commands such as `backup` may name the files of one kind of database. */
function knowsDatabase({ path, text }: SourceFile): boolean {
  const part = partOf(path);
  if (part === 'storage') return false;
  return importsOf(text).some(
    (name) =>
      /^(node:sqlite|pg)(\/|$)/.test(name) ||
      (part !== 'cli' && /(^|\/)storage\/(sqlite|postgres)\//.test(name)),
  );
}

function packageViolations({ path, text }: SourceFile): string[] {
  const [, name = ''] = path.split('/');
  const root = `packages/${name}/`;
  const isForeign = (imported: string): boolean => {
    if (imported.startsWith('.'))
      return !posix.join(posix.dirname(path), imported).startsWith(root);
    if (/^(@overheard\/|overheard)/.test(imported))
      return packageTable[name]?.includes(imported) !== true;
    // The contract does no I/O: it depends on the schema library and on nothing of the platform.
    return name === 'contract' && imported !== 'zod';
  };
  return importsOf(text)
    .filter(isForeign)
    .map((imported) => `${path}: imports ${imported}`);
}

function readsEnvironment({ text }: SourceFile): boolean {
  const code = withoutComments(text);
  return (
    /\bprocess\s*(\.\s*env\b|\[\s*['"`]env)/.test(code) ||
    /\{[^}]*\benv\b[^}]*\}\s*(from\s*['"]node:process|=\s*process\b)/.test(code)
  );
}
