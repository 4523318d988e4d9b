import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { importTable } from './import-table.ts';
import { repository } from './source-files.ts';

/** The parts of the server that are folders. */
const parts = Object.keys(importTable).filter((part) =>
  statSync(join(repository, 'packages/server/src', part), { throwIfNoEntry: false })?.isDirectory(),
);

/** A file with one violation, and the rule that must find it. */
const planted: ReadonlyArray<readonly [path: string, text: string, rule: string]> = [
  ['any.ts', 'export function f(a: any): void {\n  f(a);\n}', 'typescript/no-explicit-any'],
  [
    'non-null.ts',
    'export const f = (a?: string): string => a!;',
    'typescript/no-non-null-assertion',
  ],
  [
    'as.ts',
    'export const f = (a: unknown): string => a as string;',
    'typescript/consistent-type-assertions',
  ],
  [
    'promise.ts',
    'export function f(): void {\n  Promise.resolve();\n}',
    'typescript/no-floating-promises',
  ],
  ['default.ts', 'export default 1;', 'import/no-default-export'],
  [
    'type.ts',
    "import { Io } from './io.ts';\nexport type A = Io;",
    'typescript/consistent-type-imports',
  ],
  ['env.ts', 'export const a = process.env;', 'node/no-process-env'],
  [
    'deprecated.ts',
    '/** @deprecated */\nconst a = 1;\nexport const b = a;',
    'typescript/no-deprecated',
  ],
  ['console.ts', 'console.log(1);\nexport {};', 'eslint/no-console'],
  ['later.ts', '// TO' + 'DO: later\nexport {};', 'eslint/no-warning-comments'],
  ['long.ts', `${'export {};\n'.repeat(301)}`, 'eslint/max-lines'],
  ['a.ts', "import { b } from './b.ts';\nexport const a = (): unknown => b;", 'import/no-cycle'],
  ['b.ts', "import { a } from './a.ts';\nexport const b = (): unknown => a;", 'import/no-cycle'],
  ['c.ts', "import type { D } from './d.ts';\nexport type C = D[];", 'import/no-cycle'],
  ['d.ts', "import type { C } from './c.ts';\nexport type D = C[];", 'import/no-cycle'],
  ['Case.ts', 'export {};', 'unicorn/filename-case'],
  [
    'skip.test.ts',
    "import { test } from 'vitest';\ntest.only('a', () => {});",
    'vitest/no-focused-tests',
  ],
  [
    'no-expect.test.ts',
    "import { test } from 'vitest';\ntest('a', () => {});",
    'vitest/expect-expect',
  ],
  ...parts.flatMap((part): Array<readonly [string, string, string]> => [
    [`${part}/now.ts`, 'export const a = Date.now();', 'eslint/no-restricted-properties'],
    [`${part}/chance.ts`, 'export const a = Math.random();', 'eslint/no-restricted-properties'],
    [`${part}/tick.ts`, 'export const a = performance.now();', 'eslint/no-restricted-globals'],
    [`${part}/net.ts`, 'export const a = fetch;', 'eslint/no-restricted-globals'],
    [
      `${part}/deep/net.ts`,
      'export const a = globalThis.fetch;',
      'eslint/no-restricted-properties',
    ],
  ]),
];

/** Files of which nothing may be said. */
const allowed: ReadonlyArray<readonly [path: string, text: string]> = [
  ['io.ts', 'export interface Io {\n  readonly a: string;\n}'],
  ['main.ts', 'export const io = { clock: Date.now, fetch: globalThis.fetch };'],
  [
    'collect/injected.ts',
    'export const a = (fetch: typeof globalThis.fetch, url: string) => fetch(url);',
  ],
  [
    'api/now.test.ts',
    "import { expect, test } from 'vitest';\ntest('a', () => {\n  expect(Date.now()).toBe(1);\n});",
  ],
];

const reportSchema = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
});

describe('the linter', () => {
  let folder: string;
  let found: Map<string, string[]>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'overheard-lint-'));
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) {
      cpSync(join(repository, name), join(folder, name));
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const [path, text] of [...planted, ...allowed]) {
      const file = join(folder, 'packages/server/src', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${text}\n`);
    }
    found = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(planted)('the linter finds the planted fault in %s', (path, _text, rule) => {
    expect(found.get(path)).toContain(rule);
  });

  test.each(allowed)('the linter has nothing to say about %s', (path) => {
    expect(found.get(path) ?? []).toEqual([]);
  });
});

/** The rules that were broken, by file. */
function lint(folder: string): Map<string, string[]> {
  const program = join(repository, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [program, '-f', 'json', 'packages'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const { diagnostics } = reportSchema.parse(JSON.parse(stdout));
  const rules = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) {
    const path = filename.replaceAll('\\', '/').replace(/^packages\/server\/src\//, '');
    // `eslint(no-console)`
    const rule = code.replace(/^(.*)\((.*)\)$/, '$1/$2');
    rules.set(path, [...(rules.get(path) ?? []), rule]);
  }
  return rules;
}
