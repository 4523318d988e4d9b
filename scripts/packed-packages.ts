/** The built packages as their users get them. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  name: z.string(),
  private: z.boolean().optional(),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.unknown()).default({}),
});

/** A package after `npm run build`: where it is published from, and what it says of itself. */
export interface BuiltPackage {
  readonly dist: string;
  readonly manifest: z.infer<typeof manifestSchema>;
}

const repository = join(import.meta.dirname, '..');

/** Every package of the repository that is published. Throws if one has not been built. */
export function builtPackages(): BuiltPackage[] {
  return globSync('packages/*/package.json', { cwd: repository })
    .map((path) => join(repository, dirname(path)))
    .filter((folder) => readManifest(folder).private !== true)
    .toSorted()
    .map((folder) => {
      const dist = publishedFolder(folder);
      return { dist, manifest: readManifest(dist) };
    });
}

function readManifest(folder: string): BuiltPackage['manifest'] {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** Most are published from `dist`; one whose `dist` has no `package.json` is published as it stands. */
function publishedFolder(folder: string): string {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) throw new Error(`${dist} is missing: run \`npm run build\` first.`);
  return existsSync(join(dist, 'package.json')) ? dist : folder;
}

/**
 * Packs what npm would publish and unpacks it into an empty `node_modules` in `folder`, beside links
 * to the dependencies. Returns that `node_modules`.
 */
export function installPackages(built: readonly BuiltPackage[], folder: string): string {
  const modules = join(folder, 'node_modules');
  for (const each of built) unpack(each, { folder, modules });
  for (const each of built) linkDependencies(each, modules);
  return modules;
}

function unpack(
  { dist, manifest }: BuiltPackage,
  { folder, modules }: { folder: string; modules: string },
): void {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: dist,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const target = join(modules, manifest.name);
  mkdirSync(target, { recursive: true });
  const [archive = ''] = globSync('*.tgz', { cwd: folder });
  execFileSync('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', target]);
  rmSync(join(folder, archive));
}

/** The packages of the registry are those of the repository; ours are the unpacked ones. */
function linkDependencies({ manifest }: BuiltPackage, modules: string): void {
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(modules, name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), link);
  }
}
