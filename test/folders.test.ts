import { basename, dirname } from 'node:path';
import { endpoints } from '@overheard/contract';
import { expect, test } from 'vitest';
import { innerTables } from './import-table.ts';
import { allSourceFiles, sourceFiles } from './source-files.ts';

const filesMax = 26;

test(`no folder of code has more than ${filesMax} files, its tests included`, () => {
  const paths = allSourceFiles('{packages,test,scripts,bench}/**/*.ts').map(({ path }) => path);
  expect(paths).toContain('test/folders.test.ts');
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

test('no two files of a folder differ by one letter', () => {
  const paths = sourceFiles('{packages,test,scripts,bench}/**/*.ts').map(({ path }) => path);
  expect(confusablePairs(paths)).toEqual([]);
});

test.each([
  [['a/link.ts', 'a/links.ts'], ['a/link.ts ~ a/links.ts']],
  [['a/form.ts', 'a/fork.ts', 'b/form.ts'], ['a/form.ts ~ a/fork.ts']],
  [['a/link.ts', 'a/link.test.ts', 'b/links.ts', 'a/shrink.ts'], []],
])('planted names are compared: %j', (paths, pairs) => {
  expect(confusablePairs(paths)).toEqual(pairs);
});

function confusablePairs(paths: readonly string[]): string[] {
  const files = paths.filter((path) => !path.endsWith('.test.ts'));
  return [...Map.groupBy(files, dirname).values()].flatMap((folder) =>
    folder.flatMap((left, index) =>
      folder
        .slice(index + 1)
        .filter((right) => isOneLetterOff(left, right))
        .map((right) => `${left} ~ ${right}`),
    ),
  );
}

/** Whether one letter is changed, added or left out. */
function isOneLetterOff(left: string, right: string): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return short.slice(long.length === short.length ? same + 1 : same) === long.slice(same + 1);
}

test('each command has a folder of its name, and its file there has the name again', () => {
  const table = sourceFiles('packages/server/src/cli/command-table.ts')[0]?.text ?? '';
  const files = commandFiles(table);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter(({ name, path }) => path !== `./commands/${name}/${name}.ts`)).toEqual([]);
  const folders = sourceFiles('packages/server/src/cli/commands/*/*.ts').map(({ path }) =>
    basename(dirname(path)),
  );
  expect([...new Set(folders)].toSorted()).toEqual(files.map(({ name }) => name).toSorted());
});

test('a command of another file is noticed', () => {
  const planted = "  bots: async () => (await import('./commands/crawlers/bots.ts')).botsCommand,";
  expect(commandFiles(planted)).toEqual([{ name: 'bots', path: './commands/crawlers/bots.ts' }]);
});

function commandFiles(table: string): Array<{ name: string; path: string }> {
  return [...table.matchAll(/^ {2}(?<name>\w+): .*import\('(?<path>[^']+)'\)/gm)].map(
    ({ groups: { name = '', path = '' } = {} }) => ({ name, path }),
  );
}

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
