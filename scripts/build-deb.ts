/**
 * Builds `overheard_VERSION_ARCH.deb` from `packages/server/dist` and the Node that runs this:
 * docs/operations.md, "On Debian or Ubuntu". Called by `npm run deb`; needs Debian with `dpkg-dev`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const repository = join(import.meta.dirname, '..');
const dist = join(repository, 'packages/server/dist');

const { version, description } = z
  .object({ version: z.string(), description: z.string() })
  .parse(JSON.parse(read(join(dist, 'package.json'))));

const root = mkdtempSync(join(tmpdir(), 'overheard-deb-'));
const architecture = run('dpkg', ['--print-architecture']).trim();
try {
  fill();
  const deb = join(repository, `overheard_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, deb]);
  process.stdout.write(`${deb}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Puts every file of the package where it is to be, below `root`. */
function fill(): void {
  chmodSync(root, 0o755);
  cpSync(dist, join(root, 'usr/lib/overheard'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/lib/overheard/node'));
  run('strip', ['usr/lib/overheard/node']);
  install('usr/bin/overheard', read(join(import.meta.dirname, 'debian/overheard')), 0o755);
  // The unit of an installation by hand names the link that its page makes.
  const unit = example('overheard.service').replaceAll('/usr/local/bin/', '/usr/bin/');
  install('usr/lib/systemd/system/overheard.service', unit);
  install('etc/overheard/overheard.env', example('overheard.env'), 0o640);
  install('usr/share/doc/overheard/copyright', copyright());

  const libraries = neededPackages('usr/lib/overheard/node');
  install('DEBIAN/control', controlFields(`${libraries}, init-system-helpers, passwd`));
  install('DEBIAN/conffiles', '/etc/overheard/overheard.env\n');
  for (const script of ['postinst', 'prerm', 'postrm'])
    install(`DEBIAN/${script}`, read(join(import.meta.dirname, 'debian', script)), 0o755);
}

/** The packages whose libraries a program is linked with, as `Depends` has them. */
function neededPackages(program: string): string {
  // `dpkg-shlibdeps` reads a source's control file, and takes its words from it.
  install('debian/control', 'Source: overheard\n\nPackage: overheard\nArchitecture: any\n');
  const [, libraries] = /^shlibs:Depends=(.+)$/m.exec(run('dpkg-shlibdeps', ['-O', program])) ?? [];
  rmSync(join(root, 'debian'), { recursive: true });
  if (libraries === undefined) throw new Error(`dpkg-shlibdeps found no library of ${program}`);
  return libraries;
}

function controlFields(depends: string): string {
  const bytes = globSync('{usr,etc}/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0);
  return `Package: overheard
Version: ${version}
Architecture: ${architecture}
Maintainer: The Overheard authors
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${depends}
Section: web
Priority: optional
Description: ${description}
`;
}

function copyright(): string {
  const node = `usr/lib/overheard/node is Node.js ${process.versions.node}, copyright Node.js contributors, under the same licence.
The licences of the libraries in it: https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE
Those of the libraries in Overheard: /usr/lib/overheard/THIRD-PARTY-LICENSES.txt\n`;
  return `${read(join(repository, 'LICENSE'))}\n${node}`;
}

function example(name: string): string {
  return read(join(repository, 'examples/systemd', name));
}

function install(path: string, content: string, mode = 0o644): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
