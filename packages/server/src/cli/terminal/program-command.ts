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
 * How to type the name of the program: `overheard` if that is on the PATH, `npx overheard` from a
 * project's node_modules, or else Node with the file. Any other hint would not run.
 */
export function programCommand({ script, node, folder, env }: Invocation): string {
  const place = dirname(script);
  const isNpm = env['npm_command'] !== undefined;
  const isLink = basename(script) === 'overheard';
  // npm puts a project's programs only on the PATH of the processes that it starts.
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
