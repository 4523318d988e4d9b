import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});
const names = ['LICENSE', 'LICENSE.md', 'LICENCE', 'license'];

/** The licences of the packages whose files went into the bundle: they ask to be passed on. */
export function licencesOf(inputs: readonly string[], base: string): string {
  const folders = inputs
    .filter((input) => input.includes('node_modules/'))
    .map((input) => packageFolder(resolve(base, input)));
  return [...new Set(folders)]
    .toSorted()
    .map(licence)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function packageFolder(file: string): string {
  const folder = dirname(file);
  const manifest = join(folder, 'package.json');
  // Some packages have a package.json without a name inside, to say of what type their files are.
  const isWhole = existsSync(manifest) && manifestSchema.safeParse(readJson(manifest)).success;
  return isWhole ? folder : packageFolder(folder);
}

function licence(folder: string): string {
  const manifest = manifestSchema.parse(readJson(join(folder, 'package.json')));
  const { name, version, license, author } = manifest;
  const file = names.map((each) => join(folder, each)).find(existsSync);
  const by = typeof author === 'object' ? author.name : author;
  if (file === undefined && by === undefined)
    throw new Error(`${name} has no licence to pass on, and names no author.`);
  const text = file === undefined ? `Copyright ${by}` : readFileSync(file, 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
