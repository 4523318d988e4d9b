/**
 * Checks the built packages as their users get them: what npm would publish is packed, unpacked into
 * an empty `node_modules` beside links to the dependencies, and its programs are run there.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  name: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.unknown()).default({}),
});

type Manifest = z.infer<typeof manifestSchema>;

interface BuiltPackage {
  readonly dist: string;
  readonly manifest: Manifest;
}

const repository = join(import.meta.dirname, '..');

const built = builtPackages();
for (const each of built) await lint(each);
const place = mkdtempSync(join(tmpdir(), 'overheard-packages-'));
try {
  const modules = join(place, 'node_modules');
  for (const each of built) unpack(each, { folder: place, modules });
  for (const each of built) linkDependencies(each, modules);
  for (const each of built) run(each, { folder: place, modules });
} finally {
  rmSync(place, { recursive: true, force: true });
}

function builtPackages(): BuiltPackage[] {
  return globSync('packages/*/package.json', { cwd: repository })
    .toSorted()
    .map((path) => {
      const dist = publishedFolder(join(repository, dirname(path)));
      const manifest: unknown = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
      return { dist, manifest: manifestSchema.parse(manifest) };
    });
}

/** Most are published from `dist`; one whose `dist` has no `package.json` is published as it stands. */
function publishedFolder(folder: string): string {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) throw new Error(`${dist} is missing: run \`npm run build\` first.`);
  return existsSync(join(dist, 'package.json')) ? dist : folder;
}

async function lint({ dist, manifest }: BuiltPackage): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: dist, strict: true, level: 'suggestion' });
  const words = messages.map((message) => formatMessage(message, pkg));
  if (words.length > 0) throw new Error(`publint on ${manifest.name}:\n${words.join('\n')}`);
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

function run(
  { manifest }: BuiltPackage,
  { folder, modules }: { folder: string; modules: string },
): void {
  for (const [name, path] of Object.entries(manifest.bin)) {
    const program = join(modules, manifest.name, path);
    const help = execFileSync(process.execPath, [program, '--help'], { cwd: folder });
    if (!help.includes(name)) throw new Error(`\`${name} --help\` printed:\n${help.toString()}`);
    say(`${name} --help runs from the packed ${manifest.name}`);
  }
  if ('.' in manifest.exports) {
    const script = `if (Object.keys(await import('${manifest.name}')).length === 0) process.exit(1)`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    say(`${manifest.name} can be imported as it is packed`);
  }
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}
