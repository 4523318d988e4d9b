import { dirname } from 'node:path';
import { endpoints } from '@overheard/contract';
import { expect, test } from 'vitest';
import { innerTables } from './import-table.ts';
import { sourceFiles } from './source-files.ts';

test('each folder in the table of imports exists', () => {
  const paths = sourceFiles('packages/*/src/**/*.ts').map(({ path }) => path);
  const entries = Object.entries(innerTables).flatMap(([root, table]) =>
    table.map(([part]) => `${root}/${part}`),
  );
  const isPresent = (entry: string) =>
    paths.some((path) => path === `${entry}.ts` || path.startsWith(`${entry}/`));
  expect(entries.length).toBeGreaterThan(60);
  expect(entries.filter((entry) => !isPresent(entry))).toEqual([]);
  expect(isPresent('packages/server/src/planted')).toBe(false);
});

/** The folders with one file for each endpoint, which has its name. */
const endpointFolders = ['packages/contract/src/endpoints', 'packages/server/src/api/endpoints'];

test('the folders of endpoints have one file for each endpoint of the contract, and no other', () => {
  const paths = sourceFiles('packages/*/src/**/*.ts').map(({ path }) => path);
  const names = endpoints.map(({ name }) => name);
  expect(endpointFiles(paths)).toEqual(expectedFiles(names));
  expect(endpointFiles([...paths, `${endpointFolders[1]}/planted.ts`])).toEqual(
    expectedFiles(names).concat(`${endpointFolders[1]}/planted.ts`).toSorted(),
  );
});

function endpointFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => endpointFolders.includes(dirname(path))).toSorted();
}

function expectedFiles(names: readonly string[]): string[] {
  return endpointFolders
    .flatMap((folder) => names.map((name) => `${folder}/${name}.ts`))
    .toSorted();
}
