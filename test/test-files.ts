import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const testGlobs: readonly string[] = [
  'packages/*/{src,test}/**/*.test.ts',
  'test/**/*.test.ts',
];

const repository = join(import.meta.dirname, '..');
const needsItsOwnProcess =
  /node:child_process|server-process|collect-chaos|spawnCommand|line-host|run-shell|startPostgres|openBrowser|page-look|test\/refusals|vi\.mock/;

/**
 * The test files that neither start processes nor replace modules. One worker
 * runs many of them and loads their modules once: loading costs half as much as in a process per file.
 */
export function filesOfSharedWorkers(): string[] {
  return globSync([...testGlobs], { cwd: repository }).filter(
    (path) => !needsItsOwnProcess.test(readFileSync(join(repository, path), 'utf8')),
  );
}
