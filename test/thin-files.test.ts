import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf } from './source-imports.ts';

const linesMin = 25;

/** Files that are one of a series, however short: each member has a file of its own. */
const series = [
  /^packages\/contract\/src\/endpoints\//,
  /^packages\/mcp\/src\/tools\/get-/,
  /\/api\/endpoints\//,
  /\/cli\/commands\/(?<name>\w+)\/\k<name>\.ts$/,
  /\/cli\/words\/refusals\//,
  /\/collect\/engines\//,
  /\/jobs\/do-/,
  /\/rows\/read-(?:csv|json|ndjson)\.ts$/,
  /\/storage\/migrations\//,
  // What can be done with the URL of a database of either kind.
  /\/storage\/open\//,
];

test(`a file under ${linesMin} lines has two importers, or is one of a series`, () => {
  expect(thinFiles(sourceFiles('{packages,bench,scripts}/**/*.ts'))).toEqual([]);
});

test('a short file with one importer is noticed', () => {
  const thin = { path: 'packages/server/src/api/short.ts', text: 'export const a = 1;\n' };
  const import_ = "import { a } from './short.ts';\n";
  const user = { path: 'packages/server/src/api/user.ts', text: import_ + 'a;\n'.repeat(30) };
  expect(thinFiles([thin, user])).toEqual([thin.path]);
  expect(thinFiles([thin, user, { ...user, path: 'packages/server/src/api/b.ts' }])).toEqual([]);
  expect(thinFiles([{ ...thin, text: 'a;\n'.repeat(linesMin) }, user])).toEqual([]);
});

function thinFiles(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, number>();
  for (const { path, text } of files) {
    const own = importsOf(text).map((name) => posix.join(posix.dirname(path), name));
    for (const target of new Set(own)) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  return files
    .filter(({ path }) => path.includes('/src/') && !series.some((one) => one.test(path)))
    .filter(({ text }) => /^export /m.test(text) && text.split('\n').length <= linesMin)
    .map(({ path }) => path)
    .filter((path) => importers.get(path) === 1);
}
