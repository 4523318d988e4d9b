import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { CommandError } from '../../problems.ts';

/**
 * The files that names and patterns stand for, each once, in the order given. A name without a
 * pattern is kept whether it exists or not. Throws a `CommandError` for a pattern that finds nothing.
 */
export async function findLogFiles(names: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of names) {
    if (name === '-' || !/[*?[{]/.test(name) || existsSync(name)) {
      found.add(name);
      continue;
    }
    const matches: string[] = [];
    for await (const path of glob(name)) matches.push(path);
    if (matches.length === 0) throw new CommandError(`No file matches ${name}.`);
    for (const path of matches.toSorted()) found.add(path);
  }
  return [...found];
}
