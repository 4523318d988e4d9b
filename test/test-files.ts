import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const testGlobs: readonly string[] = [
  'packages/*/{src,test}/**/*.test.ts',
  'test/**/*.test.ts',
];

const repository = join(import.meta.dirname, '..');
const startsProcesses =
  /node:child_process|server-process|collect-chaos|spawnCommand|line-host|run-shell|startPostgres|openBrowser|test\/refusals/;

/** The test files that start other programs (servers, commands, databases, browsers), by what they import. */
export function filesWithProcesses(): string[] {
  return globSync([...testGlobs], { cwd: repository }).filter((path) =>
    startsProcesses.test(readFileSync(join(repository, path), 'utf8')),
  );
}
