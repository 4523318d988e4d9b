/** The program that benches run: built, packed and installed, as its users have it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPackages, installPackages } from '../scripts/packed-packages.ts';

/** The path of `overheard`. It is gone when this process ends. */
export const overheard = join(install(), 'overheard/bin/overheard.js');

function install(): string {
  const repository = join(import.meta.dirname, '..');
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: repository, stdio: [...stdio] });
  const folder = mkdtempSync(join(tmpdir(), 'overheard-installed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return installPackages(builtPackages(), folder);
}
