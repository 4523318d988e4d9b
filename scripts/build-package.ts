/**
 * Builds the package in whose folder it is run into `dist`, from which it is published: Node does
 * not run TypeScript inside of `node_modules`. Called by a package's `npm run build`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What of `package.json` is changed for publishing; the rest is passed on. */
const manifestSchema = z.looseObject({
  name: z.string(),
  exports: z.record(z.string(), z.string()).optional(),
});

const repository = join(import.meta.dirname, '..');

buildPackage(process.cwd());

function buildPackage(folder: string): void {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  compile(folder);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const published = `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`;
  writeFileSync(join(dist, 'package.json'), published);
  copyFileSync(join(repository, 'LICENSE'), join(dist, 'LICENSE'));
  const readme = join(folder, 'README.md');
  if (existsSync(readme)) copyFileSync(readme, join(dist, 'README.md'));
}

function compile(folder: string): void {
  const { status } = spawnSync('tsc', ['--build', '--force', 'tsconfig.build.json'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** In the repository exports name the TypeScript sources, published what was made of them. */
function publishedManifest(manifest: unknown): Record<string, unknown> {
  const { exports = {}, devDependencies, scripts, ...kept } = manifestSchema.parse(manifest);
  const built = Object.entries(exports).map(([name, path]) => [name, builtExport(path)]);
  return { ...kept, exports: Object.fromEntries(built) };
}

function builtExport(path: string) {
  if (!path.endsWith('.ts')) return path;
  const stem = path.slice(0, -'.ts'.length);
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}
