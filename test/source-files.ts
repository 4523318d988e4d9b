import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder. */
export const repository = join(import.meta.dirname, '..');

/** A file of the repository. */
export interface SourceFile {
  /** From the repository's folder on, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Source files that match, tests left out. */
export function sourceFiles(pattern: string): SourceFile[] {
  return allSourceFiles(pattern).filter(({ path }) => !path.endsWith('.test.ts'));
}

/** Source files that match, tests included. */
export function allSourceFiles(pattern: string): SourceFile[] {
  const exclude = ['**/node_modules', '**/dist'];
  return globSync(pattern, { cwd: repository, exclude }).map(readSource);
}

/** Every file that is, or on `git add` would be, part of the repository; the lock file is a tool's. */
export function repositoryFiles(): SourceFile[] {
  // The clone may belong to another user.
  const list = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: repository, encoding: 'utf8' },
  );
  return list
    .split('\0')
    .filter((path) => path !== '' && path !== 'package-lock.json')
    .filter(
      (path) => statSync(join(repository, path), { throwIfNoEntry: false })?.isFile() === true,
    )
    .map(readSource);
}

function readSource(path: string): SourceFile {
  const file = path.replaceAll('\\', '/');
  return { path: file, text: readFileSync(join(repository, file), 'utf8') };
}
