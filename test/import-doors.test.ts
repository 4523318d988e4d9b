import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { doors } from './import-table.ts';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf } from './source-imports.ts';

const root = 'packages/server/src/';

test('a part imports of another only the files that are its doors', () => {
  const files = sourceFiles(`${root}**/*.ts`);
  expect(files.filter(({ path }) => path.startsWith(`${root}collect/`)).length).toBeGreaterThan(5);
  expect(files.flatMap(doorViolations)).toEqual([]);
});

test.each([
  ['collect/raw', "import { a } from '../../answers/import/run-id.ts';", 1],
  ['collect/raw', "import type { A } from '../../answers/cohort.ts';", 1],
  ['collect/raw', "import { a } from '../../answers/import/import-answers.ts';", 0],
  ['web/pages', "import { a } from '../../api/endpoints/scores.ts';", 1],
  ['web/pages', "import type { A } from '../../api/served-endpoints.ts';", 1],
  ['web/pages', "import { a } from '../../api/request/query.ts';", 0],
])('a planted import beside the door is caught: %s: %s', (folder, text, count) => {
  expect(doorViolations({ path: `${root}${folder}/x.ts`, text })).toHaveLength(count);
});

test('only the definition and the run of commands import the parser of the command line', () => {
  const users = sourceFiles(`${root}**/*.ts`)
    .filter(({ text }) => importsOf(text).includes('commander'))
    .map(({ path }) => path.slice(root.length))
    .toSorted();
  expect(users).toEqual(['cli/define/define-command.ts', 'cli/run-cli.ts']);
});

function doorViolations({ path, text }: SourceFile): string[] {
  const targets = importsOf(text).map((name) => posix.join(posix.dirname(path), name));
  return doors
    .filter(({ from }) => path.startsWith(`${root}${from}/`))
    .flatMap(({ to, files }) =>
      targets.filter(
        (target) =>
          target.startsWith(`${root}${to}/`) &&
          !files.some((file) =>
            (root + file).endsWith('/') ? target.startsWith(root + file) : target === root + file,
          ),
      ),
    )
    .map((target) => `${path}: may not import ${target}`);
}
