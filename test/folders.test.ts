import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const filesMax = 26;

test(`no folder of the source has more than ${filesMax} files besides its tests`, () => {
  const paths = sourceFiles('packages/*/src/**/*.ts').map(({ path }) => path);
  expect(crowdedFolders(paths)).toEqual([]);
});

test('a folder with one file too many is noticed', () => {
  const paths = Array.from({ length: filesMax + 1 }, (_, index) => `src/planted/${index}.ts`);
  expect(crowdedFolders([...paths, 'src/one.ts'])).toEqual(['src/planted: 27 files']);
});

function crowdedFolders(paths: readonly string[]): string[] {
  return [...Map.groupBy(paths, dirname)]
    .filter(([, files]) => files.length > filesMax)
    .map(([folder, files]) => `${folder}: ${files.length} files`);
}
