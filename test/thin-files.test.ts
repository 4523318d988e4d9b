import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf } from './source-imports.ts';

const linesMin = 25;

/** What tests share; its importers are tests, which are not counted here. */
const testHelpers = /^packages\/\w+\/test\//;

/** Files that are one of a series, however short: each member has a file of its own. */
const series = [
  /^packages\/mcp\/src\/tools\/get-/,
  /\/api\/endpoints\//,
  /\/cli\/commands\/(?<name>\w+)\/\k<name>\.ts$/,
  /\/cli\/words\/refusals\/(?!quote|refusal-words|word-table)/,
  /\/jobs\/do-/,
  /\/rows\/read-(?:csv|json|ndjson)\.ts$/,
  /\/storage\/migrations\/(?:data\/)?(?:access|data|ledger)-\d{4}-/,
  // A migration of three lists, so it has no number of its own.
  /\/storage\/migrations\/installation\.ts$/,
  // What can be done with the URL of a database of either kind, beside `open-store.ts`.
  /\/storage\/open\/diagnose\.ts$/,
];

test(`a file under ${linesMin} lines has two importers, or is one of a series`, () => {
  expect(thinFiles(sourceFiles('{packages,bench,scripts}/**/*.ts'))).toEqual([]);
});

test('each series has a file that is short and has one importer', () => {
  const files = sourceFiles('{packages,bench,scripts}/**/*.ts');
  const short = thinFiles(files, []);
  expect(series.filter((one) => !short.some((path) => one.test(path)))).toEqual([]);
});

test('a short file with one importer is noticed', () => {
  const thin = { path: 'packages/server/src/api/short.ts', text: 'export const a = 1;\n' };
  const import_ = "import { a } from './short.ts';\n";
  const user = { path: 'packages/server/src/api/user.ts', text: import_ + 'a;\n'.repeat(30) };
  expect(thinFiles([thin, user])).toEqual([thin.path]);
  expect(thinFiles([thin, user, { ...user, path: 'packages/server/src/api/b.ts' }])).toEqual([]);
  expect(thinFiles([{ ...thin, text: 'a;\n'.repeat(linesMin) }, user])).toEqual([]);
});

function thinFiles(files: readonly SourceFile[], exempt: readonly RegExp[] = series): string[] {
  const importers = new Map<string, number>();
  for (const { path, text } of files) {
    const own = importsOf(text).map((name) => posix.join(posix.dirname(path), name));
    for (const target of new Set(own)) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  return files
    .filter(({ path }) => !testHelpers.test(path) && !exempt.some((one) => one.test(path)))
    .filter(({ text }) => /^export /m.test(text) && text.split('\n').length <= linesMin)
    .map(({ path }) => path)
    .filter((path) => importers.get(path) === 1);
}
