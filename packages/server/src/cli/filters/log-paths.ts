import { existsSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { Refusal } from '../../refusals.ts';
import type { RefusalFacts } from '../../refusals.ts';
import { isCompressed } from '../../rows/decompress.ts';

/**
 * Expands names and patterns to files, each once, in the order given. A name that is not a pattern is
 * kept even if no such file exists. Throws a `Refusal` for a pattern that matches nothing.
 */
export async function findLogFiles(names: readonly string[]): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const name of names) {
    if (name === '-' || !/[*?[{]/.test(name) || existsSync(name)) {
      paths.add(name);
      continue;
    }
    const matches: string[] = [];
    for await (const path of glob(name)) matches.push(path);
    if (matches.length === 0) throw new Refusal('log_pattern_matches_nothing', { pattern: name });
    for (const path of matches.toSorted()) paths.add(path);
  }
  return [...paths];
}

/**
 * Throws a `Refusal` for a path that never grows: a folder, a pipe, a compressed log. Returns the
 * paths that do not exist yet.
 */
export async function checkFollowed(paths: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) missing.push(path);
    else if (stats.isDirectory()) refuse(path, 'folder');
    else if (!stats.isFile()) refuse(path, 'not_a_file');
    // A file that is not readable now may become readable.
    else if (await isCompressed(path).catch(() => false)) refuse(path, 'compressed');
  }
  return missing;
}

function refuse(path: string, form: RefusalFacts['log_cannot_be_followed']['form']): never {
  throw new Refusal('log_cannot_be_followed', { path, form });
}
