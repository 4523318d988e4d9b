import { existsSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { CommandError } from '../../problems.ts';
import { isCompressed } from './compressed-log.ts';

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

/**
 * Throws a `CommandError` (2) for a path that nothing is ever added to: a folder, a pipe, a compressed
 * log. Returns the paths that are not there yet: they are waited for.
 */
export async function checkFollowed(paths: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) missing.push(path);
    else if (found.isDirectory()) refuse(`${path} is a folder; name a file in it.`);
    else if (!found.isFile()) refuse(`${path} is no file; read it without --follow.`);
    // What may not be read just now is waited for, too.
    else if (await isCompressed(path).catch(() => false))
      refuse(`${path} is compressed, and nothing is added to it; read it without --follow.`);
  }
  return missing;
}

function refuse(message: string): never {
  throw new CommandError(message, { exitCode: 2 });
}
