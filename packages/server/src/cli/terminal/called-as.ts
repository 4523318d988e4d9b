import { basename, delimiter, dirname, relative, resolve } from 'node:path';
import { shellWord } from '../../values/shell-word.ts';

/** How this process was started. */
export interface Invocation {
  /** The program's file as it was named, resolved: `process.argv[1]`. */
  readonly script: string;
  /** The Node that runs it: `process.execPath`. */
  readonly node: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What to type to call the program as it was called: `overheard` if that is on the PATH, `npx
 * overheard` from a project's node_modules, or else Node with the file. A hint that says anything else
 * does not run.
 */
export function calledAs({ script, node, folder, env }: Invocation): string {
  const place = dirname(script);
  const isNpm = env['npm_command'] !== undefined;
  const isLink = basename(script) === 'overheard';
  // npm puts a project's programs on the PATH of what it starts, and only there.
  const isOnPath = (env['PATH'] ?? '').split(delimiter).some((each) => resolve(each) === place);
  const isInProject = basename(place) === '.bin' && basename(dirname(place)) === 'node_modules';
  if (isLink && isOnPath && !(isInProject && isNpm)) return 'overheard';
  if (!isLink || !isInProject) {
    // On Windows, npm's own link starts the file itself.
    if (env['npm_command'] === 'exec') return 'npx overheard';
    return `${shellWord(node)} ${shellWord(script)}`;
  }
  const project = dirname(dirname(place));
  const isCache = basename(dirname(project)) === '_npx';
  const isWithin = !relative(project, folder).startsWith('..');
  return isCache || isWithin ? 'npx overheard' : `npx --prefix ${shellWord(project)} overheard`;
}
