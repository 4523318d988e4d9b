import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { Plugin } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

const here = fileURLToPath(new URL('..', import.meta.url));
const source = join(here, 'src');
const style = 'styles/overheard.css';

export const sources = /[\\/]server[\\/]src[\\/].*\.ts$/;

/** The address of a thread in the sources: `thread.ts` beside the file that starts it. */
export const threadAddress = 'new URL(`./thread${extname(import.meta.filename)}`, import.meta.url)';

/** The file of the bundle with the thread that a file of the sources starts. */
export function bundledThread(id: string): string {
  return `thread-${relative(source, dirname(id)).replaceAll(/[\\/]/g, '-')}.js`;
}

/** Makes a chunk for each thread. */
const threadsAsFiles: Plugin = {
  name: 'threads-as-files',
  transform: {
    filter: { id: sources, code: threadAddress },
    handler(code, id) {
      const fileName = bundledThread(id);
      this.emitFile({ type: 'chunk', id: join(dirname(id), 'thread.ts'), fileName });
      return code.replace(threadAddress, `new URL('./${fileName}', import.meta.url)`);
    },
  },
};

/**
 * Makes what is published in a folder: `bin/overheard.js`, which starts the program; the program with
 * all that it needs in `program/`, with the files that pages load; and the manifest, without
 * dependencies. Returns what went into the bundle, relative to this package.
 */
export async function buildProgram(folder: string): Promise<readonly string[]> {
  const inputs = await bundle(join(folder, 'program'));
  await copyAssets(join(folder, 'program'));
  await mkdir(join(folder, 'bin'), { recursive: true });
  const start = await readFile(join(here, 'bin/overheard.js'), 'utf8');
  const bundled = start.replace('../src/main.ts', '../program/main.js');
  if (bundled === start) throw new Error('bin/overheard.js starts something else.');
  await writeFile(join(folder, 'bin/overheard.js'), bundled, { mode: 0o755 });
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(), undefined, 2)}\n`,
  );
  return inputs;
}

/** Bundles the program and its threads, in chunks: a command loads those that it needs. */
async function bundle(dir: string): Promise<readonly string[]> {
  const { output } = await build({
    input: { main: join(source, 'main.ts') },
    cwd: here,
    platform: 'node',
    external: ['pg-native'],
    transform: { target: 'node24.15' },
    plugins: [threadsAsFiles],
    output: {
      dir,
      format: 'esm',
      minify: true,
      // Code that packages have inlined; its licences are in a file beside the program.
      comments: { legal: true, annotation: false, jsdoc: false },
    },
    logLevel: 'warn',
  });
  const threads = globSync('**/thread.ts', { cwd: source }).length;
  const found = output.filter(({ fileName }) => fileName.startsWith('thread-')).length;
  if (found !== threads) throw new Error(`${threads} threads, but the bundle has ${found}.`);
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** The style of pages, and their elements without types. */
async function copyAssets(folder: string): Promise<void> {
  await mkdir(join(folder, 'styles'));
  await copyFile(join(source, 'web', style), join(folder, style));
  await build({
    input: globSync('web/browser/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }),
    cwd: source,
    output: { dir: join(folder, 'browser'), format: 'esm', minify: true },
    logLevel: 'warn',
  });
}

function publishedManifest(): Record<string, unknown> {
  const { dependencies: _all, devDependencies: _dev, scripts: _scripts, ...kept } = manifest;
  return { ...kept, files: ['bin', 'program', 'THIRD-PARTY-LICENSES.txt'] };
}
